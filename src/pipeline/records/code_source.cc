#include "pipeline/records/code_source.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hex_code.h"
#include "zhiwen/code_index.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

constexpr size_t kMostListed = 20;  // schemes of a message

// Keeps `number` where it has the bits.
std::string Fit(uint64_t number, uint32_t bits, uint64_t& code) {
  if (bits < 64 && number >> bits != 0) {
    return fmt::format("is a code of more than {} bits", bits);
  }
  code = number;
  return {};
}

}  // namespace

void LabelCopies::Clear() {
  text_.clear();
  ends_.clear();
}

void LabelCopies::Add(std::string_view label) {
  text_ += label;
  ends_.push_back(text_.size());
}

void LabelCopies::Finish(std::vector<std::string_view>& labels) const {
  labels.clear();
  size_t begin = 0;
  for (const size_t end : ends_) {
    labels.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
}

// A short form with parameters is what it stands for; of a bare name all are taken.
SchemeChoice::SchemeChoice(const CodeReaderOptions& options)
    : wanted_(options.scheme),
      is_asked_(!wanted_.empty() || options.code_field == CodeReaderOptions().code_field) {
  if (wanted_.find('(') == std::string::npos) return;
  if (const auto scheme = Scheme::Create(wanted_)) wanted_ = (*scheme)->canonical_name();
}

bool SchemeChoice::Matches(std::string_view scheme) const {
  if (wanted_.empty()) return true;
  if (!scheme.starts_with(wanted_)) return false;
  const std::string_view rest = scheme.substr(wanted_.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '(';
}

bool SchemeChoice::Takes(std::string_view scheme) {
  has_rows_ = true;
  if (has_chosen_ && scheme == chosen_) return true;
  if (std::ranges::find(seen_, scheme) == seen_.end() && seen_.size() < kMostListed) {
    seen_.emplace_back(scheme);
  }
  if (!Matches(scheme)) return false;
  if (has_chosen_) {
    is_ambiguous_ = true;
    return false;
  }
  has_chosen_ = true;
  chosen_ = scheme;
  return true;
}

std::string SchemeChoice::ListSeen() const {
  std::vector<std::string> names = seen_;
  std::ranges::sort(names);
  std::ranges::replace(names, std::string(), std::string("none"));
  return fmt::format("{}", fmt::join(names, ", "));
}

Status SchemeChoice::CheckOne(std::string_view file) const {
  if (!is_ambiguous_) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": it has values of several schemes, and an index is "
                          "of one; choose one: {}",
                          file, ListSeen()),
              {Advice::kChooseScheme});
}

Status SchemeChoice::CheckFound(std::string_view file) const {
  if (wanted_.empty() || has_chosen_ || !has_rows_) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("no row of \"{}\" is of the scheme \"{}\"; there is {}", file, wanted_,
                          ListSeen()));
}

std::string CodeOfHex(std::string_view text, uint32_t bits, uint64_t& code) {
  uint64_t parsed = 0;
  if (ParseHexCode(text, parsed)) return Fit(parsed, bits, code);
  return fmt::format("is no code of 1 to {} hex digits", kMostHexDigits);
}

std::string CodeOfValue(std::string_view hex, uint32_t bits, uint64_t& code) {
  const size_t digits = bits / 4;
  if (hex.size() == digits) return CodeOfHex(hex, bits, code);
  if (hex.size() % 2 != 0) {
    return fmt::format("is no value of a scheme, which has {} hex digits in this index", digits);
  }
  return fmt::format("is a value of {} bytes, and the codes of this index have {}", hex.size() / 2,
                     bits / 8);
}

std::string CodeOfBytes(std::string_view bytes, uint32_t bits, uint64_t& code) {
  if (bytes.size() != bits / 8) {
    return fmt::format("is a value of {} bytes, and the codes of this index have {}", bytes.size(),
                       bits / 8);
  }
  code = 0;
  for (const char byte : bytes) code = code << 8 | static_cast<uint8_t>(byte);
  return {};
}

std::string CodeOfNumber(std::string_view number, uint32_t bits, uint64_t& code) {
  const char* const end = number.data() + number.size();
  if (number.starts_with('-')) {
    int64_t negative = 0;
    const auto [at, error] = std::from_chars(number.data(), end, negative);
    if (error != std::errc() || at != end) return "is no whole number of 64 bits";
    if (bits < 64 && negative < -(int64_t{1} << (bits - 1))) return Fit(~uint64_t{0}, bits, code);
    return Fit(static_cast<uint64_t>(negative) & (~uint64_t{0} >> (64 - bits)), bits, code);
  }
  uint64_t positive = 0;
  const auto [at, error] = std::from_chars(number.data(), end, positive);
  if (error != std::errc() || at != end) return "is no whole number of 64 bits";
  return Fit(positive, bits, code);
}

std::string FaultOfLabel(std::string_view label) {
  if (label.size() <= kMostLabelBytes) return {};
  return fmt::format("has an id of {} bytes, and one may have {}", label.size(), kMostLabelBytes);
}

}  // namespace zhiwen
