// A file of language data with the right checksums and one section of any content: it is refused
// with a message, or every channel and the segmenter work with it, whatever they say. The first
// byte chooses the section, bits of the second how the rest changes it and what is opened.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/section_file.h"
#include "channel_check.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"
#include "text/channel_view.h"
#include "text/language/language_parts.h"
#include "text/reading/readings.h"
#include "zhiwen/segmenter.h"

namespace {

using zhiwen::Require;
using zhiwen::Result;

constexpr std::string_view kText =
    "他来到了网易杭研大厦，中国科学院。银，。行b。银行重庆网路软体弓长张氵州已己末未\U00020000；zho"
    "ngguo yh "
    "lüe\nAT&T 3.5% T恤 γ射线\xE4\xBD 大大大他他他\r\n中国";
constexpr std::string_view kUserWords = "杭研大厦 3 n\n大大 v\n来到了\nγ射线 2\n国\n";

struct Table {
  std::string_view name, rows;
};
constexpr Table kTables[] = {
    {"packages", "tiny\t1\tMIT\ttests\n"},
    {"readings",
     "银\tyin2\n行\txing2\n重\tzhong4\n庆\tqing4\n中\tzhong1\n国\tguo2\n\U00020000\the1\n"
     "他\tta1\n略\tlue4\n"},
    {"phrase_readings", "银行\tyin hang\n重庆\tchong qing\n中国科\tzhong guo ke\n"},
    {"regional", "网路\t网络\n软体\t软件\n"},
    {"shape_splits", "弓长\t张\n氵州\t洲\n"},
    {"shape_classes", "己\t已\n未\t末\n"},
    {"segmenter_words",
     "来到\t9\tv\n网易\t5\tnz\n大厦\t4\tn\n中国\t30\tns\n中国科学院\t7\tnt\n科学\t8"
     "\tn\n大\t5\ta\n他\t40\tr\nAT&T\t3\tnz\nT恤\t4\tn\nγ射线\t3\tn\n"},
    {"segmenter_total", "200\n"},
    {"segmenter_word_start", "B\t-0.25\nE\t-\nM\t-\nS\t-1.5\n"},
    {"segmenter_word_moves",
     "B\tE\t-0.5\nB\tM\t-1\nE\tB\t-0.5\nE\tS\t-0.75\nM\tE\t-0.25\nM\tM\t-1.5\n"
     "S\tB\t-0.5\nS\tS\t-0.75\n"},
    {"segmenter_word_emissions", "杭\t-5\t-6\t-7\t-8\n研\t-7\t-5\t-6\t-9\n大\t-4\t-5\t-6\t-4\n"},
    {"segmenter_tag_states", "B\tn\t-1\nE\tn\t-\nM\tn\t-\nS\tr\t-2\nS\tv\t-3\n"},
    {"segmenter_tag_moves",
     "B\tn\tE\tn\t-1\nB\tn\tS\tr\t-2\nE\tn\tB\tn\t-0.5\nE\tn\tM\tn\t-1\n"
     "M\tn\tB\tn\t-1\nS\tr\tE\tn\t-2\nS\tv\tS\tr\t-1\nS\tv\tS\tv\t-3\n"},
    {"segmenter_tag_emissions",
     "杭\tB\tn\t-5\tx\n研\tE\tn\t-5\tx\n研\tS\tv\t-6\t\n大\tB\tn\t-4\tx\n"
     "大\tM\tn\t-6\tx\n大\tE\tn\t-5\tx\n了\tS\tv\t-2\tx\n"},
};

struct Section {
  std::string_view name;
  std::string bytes;
  bool is_of_segmenter;
};

constexpr std::string_view kSections[] = {
    "packages",
    "reading.plane0",
    "reading.beyond",
    "reading.beyond_phonemes",
    "reading.phrases",
    "regional",
    "shape.splits",
    "shape.classes",
    "segmenter.head",
    "segmenter.ranks",
    "segmenter.words",
    "segmenter.frequencies",
    "segmenter.word_tags",
    "segmenter.tags",
    "segmenter.other_words",
    "segmenter.model",
    "segmenter.model_emissions",
    "segmenter.tag_states",
    "segmenter.tag_move_begins",
    "segmenter.tag_moves",
    "segmenter.tag_emission_begins",
    "segmenter.tag_emissions",
    "segmenter.pairs",
    "reading.frequencies",
};

// The sections of the tables above.
std::vector<Section> CompileSections() {
  zhiwen::InMemoryFileSystem files;
  for (const auto& [name, rows] : kTables) {
    files.Put("tables/" + std::string(name) + ".tsv", std::string(rows));
  }
  Require(zhiwen::CompileLanguage(files, "tables", {.path = "tiny.zwl"}).has_value());
  const auto file = zhiwen::SectionFile::Open(files, "tiny.zwl", zhiwen::kLanguageFile);
  Require(file.has_value());
  std::vector<Section> sections;
  for (const std::string_view name : kSections) {
    const auto bytes = file->Bytes(name);
    Require(bytes.has_value());
    sections.push_back({name, std::string(*bytes), name.starts_with("segmenter.")});
  }
  return sections;
}

void CheckChannel(const zhiwen::Channel& channel) {
  const zhiwen::SpannedSymbols explained = zhiwen::ExplainChecked(channel, kText);
  for (const uint32_t symbol : explained.symbols) (void)channel.view().Name(symbol);
  std::vector<uint32_t> symbols;
  channel.view().ComputeInto(kText, symbols);
  Require(symbols == explained.symbols);
}

void CheckTokens(const zhiwen::Segmenter& segmenter, const zhiwen::SegmentOptions& options) {
  size_t letters = 0;
  segmenter.Visit(kText, options, [&](std::span<const zhiwen::Token> tokens) {
    for (const zhiwen::Token& token : tokens) {
      Require(token.bytes.begin <= token.bytes.end && token.bytes.end.value <= kText.size());
      for (const char letter : token.tag) letters += letter != '\0' ? 1 : 0;
    }
  });
  Require(options.tags || letters == 0);
}

bool is_changed = false;  // the section, in this run

// Whether it was opened, as what is not changed must be; an error says why not.
template <typename Opened>
bool IsOpen(const Result<Opened>& opened) {
  if (opened) return true;
  Require(is_changed);
  Require(opened.error().code == zhiwen::ErrorCode::kUnreadable);
  Require(opened.error().message.find("section \"") != std::string::npos);
  return false;
}

void CheckSegmenter(const std::shared_ptr<const zhiwen::Language>& language, bool with_user_words) {
  const std::vector<zhiwen::UserFile> dictionaries(with_user_words ? 1 : 0,
                                                   {"user", std::string(kUserWords)});
  const auto segmenter = zhiwen::Segmenter::Create(language, dictionaries);
  if (!segmenter && with_user_words) {  // the line of a word is named, or the section
    return Require(is_changed && !segmenter.error().message.empty());
  }
  if (!IsOpen(segmenter)) return;
  for (const bool hmm : {true, false}) {
    CheckTokens(**segmenter, {.mode = zhiwen::SegmentMode::kSearch, .hmm = hmm});
    CheckTokens(**segmenter, {.hmm = hmm, .tags = true});
  }
  CheckTokens(**segmenter, {.mode = zhiwen::SegmentMode::kFull});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  static const std::vector<Section> sections = CompileSections();
  static constexpr const char* kChannels[] = {
      "pinyin(reading=phrase)", "pinyin", "initials", "phonemes", "regional", "shape"};
  const Section& changed = sections[data[0] % sections.size()];
  const unsigned how = data[1] % 4, what = data[1] / 4;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::string content = zhiwen::ChangeSection(changed.bytes, how, rest);
  is_changed = content != changed.bytes;
  zhiwen::SectionWriter writer;
  for (const Section& section : sections) {
    if (section.name != "packages" && section.is_of_segmenter != changed.is_of_segmenter) continue;
    writer.Add(section.name, &section == &changed ? content : section.bytes);
  }
  zhiwen::InMemoryFileSystem files;
  files.Put("forged.zwl", writer.Finish(zhiwen::kLanguageFile));
  const auto language = zhiwen::Language::Open(files, "forged.zwl");
  if (!IsOpen(language)) return 0;
  if (changed.is_of_segmenter) {
    CheckSegmenter(*language, what % 4 == 3);  // a copy of all words takes long
  } else {
    // The channels that read the section, one of them a run.
    const bool is_reading = changed.name.starts_with("reading.");
    const char* name = is_reading ? kChannels[changed.name == "reading.phrases" ? 0 : what % 4]
                                  : kChannels[changed.name == "regional" ? 4 : 5];
    const auto channel = zhiwen::OpenChannel(name, *language);
    if (IsOpen(channel)) CheckChannel(*channel);
    if (is_reading) (void)IsOpen(zhiwen::OpenPhonemeFrequencies((*language)->sections()));
  }
  return 0;
}
