// Lists the channels, and makes a channel from a name. The grammar is that of schemes
// (zhiwen/scheme.h): name = word[.vN][(key=value{,key=value})].
#include "text/open_channel.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/loose.h"
#include "text/phrase/phrase_channels.h"
#include "text/reading/reading_channel.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

struct ChannelRow {
  ChannelDescription description;
  std::span<const ChannelParameter> parameters;
  Result<Channel> (*open)(const ChannelRequest& request);
};

Result<Channel> OpenExact(const ChannelRequest&) { return ExactChannel(); }
Result<Channel> OpenFolded(const ChannelRequest&) { return FoldedChannel(); }

constexpr ChannelRow kChannels[] = {
    {{"folded", "folded.v3", false,
      "case, width, script, variants, look-alike letters, invisible characters and punctuation do "
      "not count, but operators beside letters and digits do: 38/12"},
     {},
     OpenFolded},
    {{"exact", "exact.v1", false, "NFC, nothing dropped"}, {}, OpenExact},
    {{"pinyin", "pinyin.v1", true, "syllables without tones, spelled or written in Chinese"},
     kPinyinParameters,
     OpenPinyin},
    {{"initials", "initials.v1", true, "first letters of syllables"}, {}, OpenInitials},
    {{"phonemes", "phonemes.v1", true, "initial, final and tone of characters"}, {}, OpenPhonemes},
    {{"loose", "loose.v1", false,
      "folded, and symbols between Han, number characters and slang do not count"},
     kLooseParameters,
     OpenLoose},
    {{"regional", "regional.v1", true, "folded, and words of Taiwan as the mainland says them"},
     {},
     OpenRegional},
    {{"shape", "shape.v1", true, "folded, look-alikes agree, split characters are put together"},
     {},
     OpenShape},
};

// Older versions that stored values may still name.
struct OlderVersion {
  std::string_view name;
  const Channel& (*channel)();
};
constexpr OlderVersion kOlderVersions[] = {{"folded.v1", FoldedV1Channel},
                                           {"folded.v2", FoldedV2Channel}};

std::string ListChannels() {
  std::string names;
  for (const ChannelRow& row : kChannels) {
    fmt::format_to(std::back_inserter(names), "{}{} ({})", names.empty() ? "" : ", ",
                   row.description.short_name, row.description.name);
  }
  return names;
}

// Lists parameters as "reading=default|phrase".
std::string ListParameters(std::span<const ChannelParameter> parameters) {
  std::string names;
  for (const ChannelParameter& parameter : parameters) {
    fmt::format_to(std::back_inserter(names), "{}{}={}", names.empty() ? "" : ",", parameter.key,
                   fmt::join(parameter.values, "|"));
  }
  return names;
}

tl::unexpected<Error> Unknown(std::string_view name) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown channel \"{}\"; channels are {}", name, ListChannels()));
}

// "key=value,key=value", each key once and known; values may be written in any order.
Status ReadArguments(std::string_view name, const ChannelRow& row, std::string_view arguments,
                     ChannelRequest& request) {
  for (size_t at = 0; at <= arguments.size();) {
    const size_t end = std::min(arguments.find(',', at), arguments.size());
    const std::string_view argument = arguments.substr(at, end - at);
    if (argument.empty()) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot open channel \"{}\": a parameter is missing at character "
                              "{}; write key=value,key=value",
                              name, argument.data() - name.data() + 1));
    }
    const size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view key = argument.substr(0, equals);
    const std::string_view value = argument.substr(std::min(equals + 1, argument.size()));
    const auto parameter = std::ranges::find(row.parameters, key, &ChannelParameter::key);
    const bool is_data = key == "data" && row.description.needs_language;
    if (value.empty() || (!is_data && parameter == row.parameters.end())) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot open channel \"{}\": it has no parameter \"{}\"", name, key));
    }
    if (!is_data && std::ranges::find(parameter->values, value) == parameter->values.end()) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot open channel \"{}\": {} is one of {}", name, key,
                              fmt::join(parameter->values, ", ")));
    }
    if (!request.values.emplace(key, value).second) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot open channel \"{}\": {} is given twice", name, key));
    }
    at = end + 1;
  }
  return {};
}

// Checks that the language data is given and is the one that the name asks for.
Status CheckLanguage(std::string_view name, ChannelRequest& request) {
  if (request.language == nullptr) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("cannot open channel \"{}\": it needs language data, and none is "
                            "loaded",
                            name));
  }
  const auto wanted = request.values.emplace("data", request.language->id()).first;
  if (wanted->second == request.language->id()) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot open channel \"{}\": it was made with language data {}, and "
                          "\"{}\" is {}; use that file, or compute the values again",
                          name, wanted->second, request.language->path(), request.language->id()));
}

}  // namespace

std::string ChannelRequest::CanonicalName(std::string_view versioned_name) const {
  std::string arguments;
  for (const auto& [key, value] : values) {
    fmt::format_to(std::back_inserter(arguments), "{}{}={}", arguments.empty() ? "" : ",", key,
                   value);
  }
  return fmt::format("{}({})", versioned_name, arguments);
}

Result<Channel> OpenChannel(std::string_view name,
                            const std::shared_ptr<const Language>& language) {
  const size_t open = std::min(name.find('('), name.size());
  const bool has_arguments = open < name.size();
  if (has_arguments && !name.ends_with(')')) return Unknown(name);
  const std::string_view word = name.substr(0, open);
  const auto older = std::ranges::find(kOlderVersions, name, &OlderVersion::name);
  if (older != std::end(kOlderVersions)) return older->channel();
  const auto row = std::ranges::find_if(kChannels, [&](const ChannelRow& candidate) {
    return word == candidate.description.name || word == candidate.description.short_name;
  });
  if (row == std::end(kChannels) && word == "variants.v1") {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot open channel \"{}\" by its name: it is made of a file of "
                            "variants; give that file",
                            name),
                {Advice::kGiveVariants});
  }
  if (row == std::end(kChannels)) return Unknown(name);
  ChannelRequest request{.language = language, .values = {}};
  if (has_arguments) {
    const std::string_view arguments = name.substr(open + 1, name.size() - open - 2);
    ZHIWEN_RETURN_IF_ERROR(ReadArguments(name, *row, arguments, request));
  }
  for (const ChannelParameter& parameter : row->parameters) {
    request.values.emplace(parameter.key, parameter.values.front());
  }
  if (row->description.needs_language) ZHIWEN_RETURN_IF_ERROR(CheckLanguage(name, request));
  return row->open(request);
}

std::span<const ChannelDescription> DescribeChannels() {
  struct Described {
    std::array<std::string, std::size(kChannels)> parameters;
    std::array<ChannelDescription, std::size(kChannels)> rows;
  };
  static const auto described = [] {
    auto all = std::make_unique<Described>();
    for (size_t i = 0; i < std::size(kChannels); ++i) {
      all->parameters[i] = ListParameters(kChannels[i].parameters);
      all->rows[i] = kChannels[i].description;
      all->rows[i].parameters = all->parameters[i];
    }
    return std::unique_ptr<const Described>(std::move(all));
  }();
  return described->rows;
}

}  // namespace zhiwen
