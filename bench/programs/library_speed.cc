// Makes texts for a library and times checks, for `./zw bench library`.
//
//   library_speed make COUNT SEED TEXTS CORPUS SUSPECTS   made-up texts, and suspects to check
//   library_speed check LIBRARY SUSPECTS LANGUAGE [CORPUS]
//                                                         how long checks take, and how much of a
//                                                         processor; with CORPUS while another
//                                                         thread adds its documents
//   library_speed exists LIBRARY SUSPECTS SCHEME FILTER LANGUAGE
//                                                         is there a document with the value of a
//                                                         suspect? asks the library, and a filter
//                                                         of the values of all documents
//
// Texts are made by a model of character triples: a character follows the two before it as often
// as in TEXTS (JSON Lines with "text"), or in four of ten cases the one before it, so that runs of
// the source do not come back whole. A text has 400 to 960 characters. Suspects are half unrelated
// texts, made by the same model, and half copies of texts of the corpus: as they are, with one
// character in a hundred changed, or a third of them in the middle of an unrelated text. They have
// "original", the id of what they copy, and "kind".

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/json/json_writer.h"
#include "base/utf8/utf8.h"
#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/filter.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/language.h"
#include "zhiwen/library.h"
#include "zhiwen/library_files.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using Characters = std::u32string;

constexpr size_t kSuspects = 2000;

int Complain(const Error& error) {
  std::fprintf(stderr, "library_speed: %s\n", error.message.c_str());
  return 1;
}

// Visits the documents of a file of JSON Lines.
Status ForEachDocument(const std::string& path, std::vector<std::string> fields,
                       const std::function<void(const SourceDocument&)>& visit) {
  const auto executor = MakeInlineExecutor();
  const Cancellation cancellation;
  const BatchEnvironment environment{PosixFileSystem(), *executor, SystemClock(),
                                     NoProgress(),      NoLog(),   cancellation};
  DocumentInputs inputs;
  inputs.paths = {path};
  inputs.documents.value_fields = std::move(fields);
  DocumentBatches batches(inputs, {.stage = Stage::kRead, .outcome = "text"}, environment);
  return batches.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    for (const SourceDocument& document : batch) visit(document);
    return {};
  });
}

class TripleModel {
 public:
  void Learn(std::string_view utf8) {
    char32_t before = 0, last = 0;
    VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t) {
      const char32_t now = decoded.code_point;
      if (last != 0) after_one_[last].push_back(now);
      if (before != 0) after_two_[uint64_t{before} << 32 | last].push_back(now);
      before = last;
      last = now;
    });
  }

  Characters Make(std::mt19937_64& random) const {
    const size_t length = 400 + random() % 561;
    Characters text;
    char32_t before = 0, last = U'。';
    while (text.size() < length) {
      const std::vector<char32_t>* choices = nullptr;
      if (random() % 10 >= 4) {
        const auto found = after_two_.find(uint64_t{before} << 32 | last);
        if (found != after_two_.end()) choices = &found->second;
      }
      if (choices == nullptr) {
        const auto found = after_one_.find(last);
        choices = found == after_one_.end() ? &after_one_.at(U'。') : &found->second;
      }
      before = last;
      last = (*choices)[random() % choices->size()];
      text += last;
    }
    return text;
  }

 private:
  std::unordered_map<char32_t, std::vector<char32_t>> after_one_;
  std::unordered_map<uint64_t, std::vector<char32_t>> after_two_;
};

std::string ToUtf8(const Characters& text) {
  std::string utf8;
  for (const char32_t character : text) AppendUtf8(character, utf8);
  return utf8;
}

void AppendRecord(std::string& out, const std::map<std::string, std::string>& fields) {
  JsonWriter json(out);
  json.BeginObject();
  for (const auto& [name, value] : fields) json.Key(name).String(value);
  json.EndObject();
  out += '\n';
}

// A suspect of each kind in turn.
void AppendSuspect(size_t number, const Characters& original, const std::string& original_id,
                   const TripleModel& model, std::mt19937_64& random, std::string& out) {
  const std::string id = "s" + std::to_string(number);
  Characters text = model.Make(random);
  if (number % 2 == 0) {
    return AppendRecord(out, {{"id", id}, {"kind", "unrelated"}, {"text", ToUtf8(text)}});
  }
  std::string kind = "same";
  if (number % 6 == 1) {
    text = original;
  } else if (number % 6 == 3) {
    kind = "edited";
    text = original;
    for (size_t i = 0; i < text.size() / 100; ++i) text[random() % text.size()] = U'改';
  } else {
    kind = "part";
    const size_t third = original.size() / 3;
    text.insert(text.size() / 2, original.substr(third, third));
  }
  AppendRecord(out,
               {{"id", id}, {"kind", kind}, {"original", original_id}, {"text", ToUtf8(text)}});
}

int Make(size_t count, uint64_t seed, const std::string& source, const std::string& corpus_path,
         const std::string& suspects_path) {
  TripleModel model;
  const auto learn = [&](const SourceDocument& document) { model.Learn(document.text); };
  if (const Status read = ForEachDocument(source, {}, learn); !read) return Complain(read.error());
  std::mt19937_64 random(seed);
  std::ofstream corpus(corpus_path), suspects(suspects_path);
  std::string lines;
  const size_t every = std::max<size_t>(1, count / kSuspects);
  size_t asked = 0;
  for (size_t i = 0; i < count; ++i) {
    const Characters text = model.Make(random);
    const std::string id = "d" + std::to_string(i);
    lines.clear();
    AppendRecord(lines, {{"id", id}, {"text", ToUtf8(text)}});
    corpus << lines;
    if (i % every != 0) continue;
    lines.clear();
    AppendSuspect(asked++, text, id, model, random, lines);
    suspects << lines;
  }
  return corpus.good() && suspects.good() ? 0 : 1;
}

double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

// Counts the answers for suspects of one kind.
struct Tally {
  uint64_t suspects = 0;
  uint64_t found = 0;                                     // with the original among the matches
  uint64_t others = 0;                                    // with another document among them
  std::vector<double> milliseconds = {}, processor = {};  // that each took, and of the processor
};

// Returns the milliseconds of the processor that this thread took so far.
double ProcessorMilliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Result<std::map<std::string, Tally>> CheckAll(const std::string& folder,
                                              const std::string& suspects,
                                              const LanguageSource& language) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), folder, language));
  std::map<std::string, Tally> tallies;
  Status failed;
  const auto check = [&](const SourceDocument& suspect) {
    if (!failed) return;
    const auto begin = std::chrono::steady_clock::now();
    const double processor = ProcessorMilliseconds();
    const Result<CheckedText> checked = library->Check(suspect.text, {});
    const double of_processor = ProcessorMilliseconds() - processor;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (!checked) {
      failed = tl::unexpected(checked.error());
      return;
    }
    Tally& tally = tallies[suspect.values[0]];
    ++tally.suspects;
    tally.milliseconds.push_back(took.count());
    tally.processor.push_back(of_processor);
    const auto is_original = [&](const CheckMatch& match) {
      return match.document.id == suspect.values[1];
    };
    tally.found += std::ranges::any_of(checked->matches, is_original) ? 1 : 0;
    tally.others += std::ranges::all_of(checked->matches, is_original) ? 0 : 1;
  };
  ZHIWEN_RETURN_IF_ERROR(ForEachDocument(suspects, {"kind", "original"}, check));
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  return tallies;
}

int Check(const std::string& folder, const std::string& suspects, const std::string& language_path,
          const std::string& to_add) {
  const auto language = Language::Open(PosixFileSystem(), language_path);
  if (!language) return Complain(language.error());
  const auto executor = MakeInlineExecutor();
  Cancellation cancellation;
  const BatchEnvironment environment{.files = PosixFileSystem(),
                                     .executor = *executor,
                                     .clock = SystemClock(),
                                     .progress = NoProgress(),
                                     .log = NoLog(),
                                     .cancellation = cancellation,
                                     .language = [&] { return language; }};
  std::thread adder;
  if (!to_add.empty()) {
    adder = std::thread([&] {
      AddFilesOptions options;
      options.folder = folder;
      options.inputs.paths = {to_add};
      (void)AddFiles(options, environment);  // until it is cancelled
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const auto tallies = CheckAll(folder, suspects, [&] { return language; });
  cancellation.Request(ErrorCode::kInterrupted);
  if (adder.joinable()) adder.join();
  if (!tallies) return Complain(tallies.error());
  std::vector<double> all, processor;
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("kinds").BeginObject();
  for (const auto& [kind, tally] : *tallies) {
    all.insert(all.end(), tally.milliseconds.begin(), tally.milliseconds.end());
    processor.insert(processor.end(), tally.processor.begin(), tally.processor.end());
    json.Key(kind).BeginObject().Key("suspects").Unsigned(tally.suspects);
    json.Key("found").Unsigned(tally.found).Key("others").Unsigned(tally.others);
    json.Key("p50_ms").Fixed(Percentile(tally.milliseconds, 0.5), 3);
    json.Key("p99_ms").Fixed(Percentile(tally.milliseconds, 0.99), 3).EndObject();
  }
  json.EndObject().Key("p50_ms").Fixed(Percentile(all, 0.5), 3);
  json.Key("p99_ms").Fixed(Percentile(all, 0.99), 3);
  json.Key("p50_processor_ms").Fixed(Percentile(processor, 0.5), 3);
  json.Key("p99_processor_ms").Fixed(Percentile(processor, 0.99), 3).EndObject();
  std::puts(out.c_str());
  return 0;
}

// Asks one question of two, the library and the filter.
struct Existence {
  uint64_t questions = 0, known = 0;           // by the library, which compares values
  uint64_t false_positives = 0, lost = 0;      // of the filter
  std::vector<double> value, library, filter;  // microseconds; answers include the value
};

std::string LineOf(const Fingerprint& value) {
  const std::string json = FingerprintValueToJson(value);
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

Result<Existence> AskBoth(const Library& library, const Scheme& scheme, const KeyFilter& filter,
                          const std::string& suspects) {
  Existence existence;
  Status failed;
  const auto ask = [&](const SourceDocument& suspect) {
    if (!failed) return;
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    const auto begin = Clock::now();
    const Result<Fingerprint> value = scheme.Compute(suspect.text);
    const auto computed = Clock::now();
    const bool may_be = value && HasValue(*value) && filter.MayContain(KeyOfLine(LineOf(*value)));
    const auto tested = Clock::now();
    const auto matches =
        library.FindByScheme(suspect.text, {.scheme = scheme.canonical_name(), .count = 1});
    const auto asked = Clock::now();
    if (!value || !matches) {
      failed = tl::unexpected(value ? matches.error() : value.error());
      return;
    }
    const bool is_known = !matches->documents.empty();
    ++existence.questions;
    existence.known += is_known ? 1 : 0;
    existence.false_positives += may_be && !is_known ? 1 : 0;
    existence.lost += is_known && !may_be ? 1 : 0;
    existence.value.push_back(Microseconds(computed - begin).count());
    existence.filter.push_back(Microseconds(tested - begin).count());
    existence.library.push_back(Microseconds(asked - tested).count());
  };
  ZHIWEN_RETURN_IF_ERROR(ForEachDocument(suspects, {}, ask));
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  return existence;
}

int Exists(const std::string& folder, const std::string& suspects, const std::string& name,
           const std::string& filter_path, const std::string& language_path) {
  FileSystem& files = PosixFileSystem();
  const auto language = Language::Open(files, language_path);
  if (!language) return Complain(language.error());
  const auto library = Library::Open(files, folder, [&] { return language; });
  if (!library) return Complain(library.error());
  const auto scheme = Scheme::Create(name, {.language = *language});
  if (!scheme) return Complain(scheme.error());
  const auto filter = KeyFilter::Open(files, filter_path);
  if (!filter) return Complain(filter.error());
  const auto existence = AskBoth(**library, **scheme, *filter, suspects);
  if (!existence) return Complain(existence.error());
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("questions").Unsigned(existence->questions);
  json.Key("known").Unsigned(existence->known).Key("lost").Unsigned(existence->lost);
  json.Key("false_positives").Unsigned(existence->false_positives);
  json.Key("expected_false_positives").Double(filter->false_positives());
  json.Key("filter_bytes").Unsigned(filter->bytes());
  json.Key("value_us").Fixed(Percentile(existence->value, 0.5), 3);
  json.Key("library_us").Fixed(Percentile(existence->library, 0.5), 3);
  json.Key("filter_us").Fixed(Percentile(existence->filter, 0.5), 3).EndObject();
  std::puts(out.c_str());
  return 0;
}

int Run(const std::vector<std::string>& words) {
  if (words.size() == 6 && words[0] == "make") {
    uint64_t count = 0, seed = 0;
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), seed);
    return Make(count, seed, words[3], words[4], words[5]);
  }
  if ((words.size() == 4 || words.size() == 5) && words[0] == "check") {
    return Check(words[1], words[2], words[3], words.size() == 5 ? words[4] : "");
  }
  if (words.size() == 6 && words[0] == "exists") {
    return Exists(words[1], words[2], words[3], words[4], words[5]);
  }
  std::fputs(
      "usage: library_speed make COUNT SEED TEXTS CORPUS SUSPECTS\n"
      "       library_speed check LIBRARY SUSPECTS LANGUAGE [CORPUS]\n"
      "       library_speed exists LIBRARY SUSPECTS SCHEME FILTER LANGUAGE\n",
      stderr);
  return 2;
}

}  // namespace
}  // namespace zhiwen

int main(int argc, char** argv) {
  return zhiwen::Run(std::vector<std::string>(argv + 1, argv + argc));
}
