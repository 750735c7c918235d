// Which documents share the most features with a text: what `./zw bench postings` runs.
//
//   postings_speed build CORPUS --file FILE    writes the postings; what brute force answers
//   postings_speed query CORPUS --file FILE    how long queries take, and what they give
//   postings_speed tokens CORPUS               how many queries; a line for each, and each document
//
// CORPUS is the number of documents to make up, or a file of texts: for each the number of its
// symbols, then these, all of them four bytes. A feature has 32 bits, so that a posting is one
// number while postings are sorted: the upper half of the hash of a shingle, or for documents that
// are made up a rank, spread. Tokens are its eight hex digits. Times are processor time of one
// thread.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "feature/shingles.h"
#include "index/line_table/mix_key.h"
#include "index/postings/sealed_postings.h"

namespace zhiwen {
namespace {

using Features = std::vector<uint32_t>;  // ascending, distinct

// So that the order of the index is that of these numbers.
uint64_t AsFeature(uint32_t number) { return UnmixKey64(uint64_t{number} << 32); }

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double Percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

void MakeDistinct(Features& features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

class Corpus {
 public:
  virtual ~Corpus() = default;
  virtual size_t size() const = 0;
  // The features of a document, in place of what was there.
  virtual void Get(size_t document, Features& features) const = 0;
  virtual std::vector<Features> Queries(size_t count) const = 0;
};

class Random {
 public:
  explicit Random(uint64_t seed) : state_(MixKey64(seed + 1)) {}
  uint64_t operator()() { return MixKey64(state_ += 0x9E3779B97F4A7C15); }

 private:
  uint64_t state_;
};

// Documents of kFeatures features each, repeats among them. The feature of a rank, below kRanks,
// comes as often as (rank + kShift) to the power of -kExponent. So they are like
// news, papers, classics, poems and manuals in two respects, measured with 57 million postings of
// each: there are three quarters as many features as postings (73 %; made up 76 %), and the
// postings of a query's features are half as many as documents (0.47; 0.45).
class MadeUpCorpus final : public Corpus {
 public:
  explicit MadeUpCorpus(size_t size) : size_(size) {
    // Where the distribution reaches i of kSteps, in closed form.
    const double from = std::pow(kShift, 1 - kExponent);
    const double to = std::pow(kRanks + kShift, 1 - kExponent);
    for (size_t i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps;
      ranks_.push_back(std::pow(from + share * (to - from), 1 / (1 - kExponent)) - kShift);
    }
  }

  size_t size() const override { return size_; }

  void Get(size_t document, Features& features) const override {
    Random random(document);
    if (document > 0 && random() % kCopies == 0) {
      Original(random() % document, features);
      Change(random, features);
    } else {
      Original(document, features);
    }
    MakeDistinct(features);
  }

  // Every second one a copy with changes, the others new texts.
  std::vector<Features> Queries(size_t count) const override {
    std::vector<Features> queries(count);
    for (size_t i = 0; i < count; ++i) {
      Random random(kNew + i);
      if (i % 2 == 0) {
        Get(random() % size_, queries[i]);
        Change(random, queries[i]);
      } else {
        Original(kNew + i, queries[i]);
      }
      MakeDistinct(queries[i]);
    }
    return queries;
  }

 private:
  static constexpr size_t kFeatures = 600;
  static constexpr uint64_t kCopies = 20;  // one in so many documents is one
  static constexpr uint64_t kNew = uint64_t{1} << 40;
  static constexpr double kExponent = 0.8, kShift = 30, kRanks = 4e9;
  static constexpr size_t kSteps = 1 << 16;

  uint32_t Draw(Random& random) const {
    const uint64_t bits = random();
    const size_t step = bits >> 48;
    const double within = static_cast<double>(bits & 0xFFFFFFFF) * 0x1p-32;
    const double rank = ranks_[step] + within * (ranks_[step + 1] - ranks_[step]);
    return static_cast<uint32_t>(rank) * 0x9E3779B1U;
  }
  void Original(uint64_t number, Features& features) const {
    Random random(number ^ kNew << 1);
    features.resize(kFeatures);
    for (uint32_t& feature : features) feature = Draw(random);
  }
  // A tenth of them.
  void Change(Random& random, Features& features) const {
    for (uint32_t& feature : features) {
      if (random() % 10 == 0) feature = Draw(random);
    }
  }

  const size_t size_;
  std::vector<double> ranks_;
};

// Queries are the beginnings of texts, as long as 2 KB of Chinese; every second one of them is of a
// text that is left out of the documents.
class TextCorpus final : public Corpus {
 public:
  TextCorpus(const std::string& path, size_t queries) {
    std::ifstream file(path, std::ios::binary);
    uint32_t length = 0;
    while (file.read(reinterpret_cast<char*>(&length), sizeof(length))) {
      std::vector<uint32_t>& text = texts_.emplace_back(length);
      file.read(reinterpret_cast<char*>(text.data()),
                static_cast<std::streamsize>(length * sizeof(uint32_t)));
    }
    const size_t step = std::max<size_t>(1, texts_.size() / queries);
    for (size_t i = 0; i < texts_.size() && queries_.size() < queries; i += step) {
      auto& text = texts_[i];
      if (text.size() < kSymbols / 2) continue;
      queries_.emplace_back();
      Shingles({text.data(), std::min(text.size(), kSymbols)}, queries_.back());
      if (queries_.size() % 2 == 0) text.clear();
    }
  }

  size_t size() const override { return texts_.size(); }
  void Get(size_t document, Features& features) const override {
    Shingles(texts_[document], features);
  }
  std::vector<Features> Queries(size_t) const override { return queries_; }

 private:
  static constexpr size_t kSymbols = 680;

  static void Shingles(std::span<const uint32_t> symbols, Features& features) {
    std::vector<uint64_t> hashes;
    ComputeShingles(symbols, hashes);
    features.clear();
    for (const uint64_t hash : hashes) features.push_back(static_cast<uint32_t>(hash >> 32));
    MakeDistinct(features);
  }

  std::vector<std::vector<uint32_t>> texts_;
  std::vector<Features> queries_;
};

struct Options {
  std::string task, corpus, file;
  size_t queries = 200, rounds = 5, checked = 20;
};

std::unique_ptr<Corpus> MakeCorpus(const Options& options) {
  uint64_t size = 0;
  const std::string& word = options.corpus;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), size);
  if (parsed.ec == std::errc() && parsed.ptr == word.data() + word.size()) {
    return std::make_unique<MadeUpCorpus>(size);
  }
  return std::make_unique<TextCorpus>(word, options.queries);
}

// The postings, each a feature and then a document, ascending.
LargeVector<uint64_t> SortedPostings(const Corpus& corpus) {
  LargeVector<uint64_t> postings, scratch;
  Features features;
  for (size_t document = 0; document < corpus.size(); ++document) {
    corpus.Get(document, features);
    if (document == 0) postings.reserve(corpus.size() * (features.size() + 8));
    for (const uint32_t feature : features) {
      postings.push_back(uint64_t{feature} << 32 | document);
    }
  }
  RadixSort(postings, scratch);
  return postings;
}

Status VisitPostings(const LargeVector<uint64_t>& postings, const FeatureTake& take) {
  std::vector<uint32_t> documents;
  for (size_t i = 0; i < postings.size();) {
    const uint64_t feature = postings[i] >> 32;
    documents.clear();
    for (; i < postings.size() && postings[i] >> 32 == feature; ++i) {
      documents.push_back(static_cast<uint32_t>(postings[i]));
    }
    ZHIWEN_RETURN_IF_ERROR(take({AsFeature(static_cast<uint32_t>(feature)), documents, {}, {}}));
  }
  return {};
}

// As rows of document and overlap.
std::string AsJson(const std::vector<std::vector<OverlapMatch>>& answers) {
  std::string out = "[";
  for (const auto& matches : answers) {
    out += out.size() > 1 ? ", [" : "[";
    for (const OverlapMatch& match : matches) {
      if (out.back() == ']') out += ", ";
      out += '[' + std::to_string(match.document) + ", " + std::to_string(match.overlap) + ']';
    }
    out += ']';
  }
  return out + ']';
}

// Every document compared with each of the first queries.
std::vector<std::vector<OverlapMatch>> BruteForce(const Corpus& corpus, const Options& options) {
  std::vector<Features> queries = corpus.Queries(options.queries);
  queries.resize(std::min(queries.size(), options.checked));
  std::unordered_map<uint32_t, std::vector<uint32_t>> asking;  // queries, by feature
  std::vector<bool> is_asked(size_t{1} << 24);                 // by its upper bits
  for (uint32_t i = 0; i < queries.size(); ++i) {
    for (const uint32_t feature : queries[i]) {
      asking[feature].push_back(i);
      is_asked[feature >> 8] = true;
    }
  }
  std::vector<std::vector<OverlapMatch>> answers(queries.size());
  std::vector<uint32_t> overlaps(queries.size());
  Features features;
  for (uint32_t document = 0; document < corpus.size(); ++document) {
    corpus.Get(document, features);
    std::fill(overlaps.begin(), overlaps.end(), 0);
    for (const uint32_t feature : features) {
      if (!is_asked[feature >> 8]) continue;
      const auto found = asking.find(feature);
      if (found == asking.end()) continue;
      for (const uint32_t query : found->second) ++overlaps[query];
    }
    for (size_t i = 0; i < queries.size(); ++i) {
      std::vector<OverlapMatch>& best = answers[i];
      if (overlaps[i] == 0) continue;
      if (best.size() == 10 && best.back().overlap >= overlaps[i]) continue;
      if (best.size() == 10) best.pop_back();
      // Behind equal ones, which have lower numbers.
      const auto at = std::ranges::find_if(
          best, [&](const OverlapMatch& match) { return match.overlap < overlaps[i]; });
      best.insert(at, {document, overlaps[i]});
    }
  }
  return answers;
}

int Build(const Options& options, const Corpus& corpus) {
  const double start = Seconds();
  LargeVector<uint64_t> postings = SortedPostings(corpus);
  std::ofstream file(options.file, std::ios::binary);
  const PostingsSource source = {
      corpus.size(), PostingsContent::kDocuments,
      [&](const FeatureTake& take) { return VisitPostings(postings, take); }};
  const auto written = WritePostings(source, [&](std::string_view bytes) {
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return Status();
  });
  file.close();
  if (!written || !file) return 5;
  const double seconds = Seconds() - start;
  std::printf("{\"documents\": %zu, \"build_seconds\": %.1f, \"answers\": %s}\n", corpus.size(),
              seconds, AsJson(BruteForce(corpus, options)).c_str());
  return 0;
}

std::vector<uint64_t> AsQuery(const Features& features) {
  std::vector<uint64_t> query;
  for (const uint32_t feature : features) query.push_back(AsFeature(feature));
  return query;
}

int Query(const Options& options, const Corpus& corpus) {
  auto opened = SealedPostings::Open(PosixFileSystem(), options.file);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 5;
  }
  const SealedPostings& index = **opened;
  std::vector<std::vector<OverlapMatch>> answers;
  std::vector<double> times, first;
  uint64_t asked = 0;
  const std::vector<Features> queries = corpus.Queries(options.queries);
  for (size_t round = 0; round <= options.rounds; ++round) {
    for (const Features& features : queries) {
      const std::vector<uint64_t> query = AsQuery(features);
      const double start = Seconds();
      auto answer = index.Query(query, {});
      (round == 0 ? first : times).push_back((Seconds() - start) * 1e6);
      if (!answer) return 5;
      if (round > 0) continue;
      answers.push_back(std::move(answer->matches));
      std::vector<uint32_t> documents;
      for (const uint64_t feature : query) {
        documents.clear();
        if (!index.FindDocuments(feature, documents)) return 5;
        asked += documents.size();
      }
    }
  }
  const PostingsStatistics statistics = index.statistics();
  std::printf(
      "{\"documents\": %zu, \"features\": %zu, \"postings\": %zu, \"bytes\": %zu, \"p50_us\": "
      "%.2f, "
      "\"p99_us\": %.2f, \"first_p50_us\": %.2f, \"first_p99_us\": %.2f, \"asked\": %.0f, "
      "\"answers\": %s}\n",
      statistics.documents, statistics.features, statistics.postings, index.bytes(),
      Percentile(times, 0.5), Percentile(times, 0.99), Percentile(first, 0.5),
      Percentile(first, 0.99), static_cast<double>(asked) / static_cast<double>(queries.size()),
      AsJson(answers).c_str());
  return 0;
}

void PrintTokens(const Features& features) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  for (const uint32_t feature : features) {
    for (int shift = 28; shift >= 0; shift -= 4) line += kDigits[feature >> shift & 15];
    line += ' ';
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stdout);
}

int Tokens(const Options& options, const Corpus& corpus) {
  const std::vector<Features> queries = corpus.Queries(options.queries);
  std::printf("%zu\n", queries.size());
  for (const Features& query : queries) PrintTokens(query);
  Features features;
  for (size_t document = 0; document < corpus.size(); ++document) {
    corpus.Get(document, features);
    PrintTokens(features);
  }
  return 0;
}

int Run(const std::vector<std::string_view>& words) {
  Options options;
  bool is_right = words.size() >= 2;
  if (is_right) {
    options.task = words[0];
    options.corpus = words[1];
  }
  const std::unordered_map<std::string_view, size_t*> numbers = {{"--queries", &options.queries},
                                                                 {"--rounds", &options.rounds},
                                                                 {"--checked", &options.checked}};
  for (size_t i = 2; i < words.size() && is_right; i += 2) {
    const auto number = numbers.find(words[i]);
    is_right = i + 1 < words.size() && (words[i] == "--file" || number != numbers.end());
    if (!is_right) break;
    const std::string_view value = words[i + 1];
    if (words[i] == "--file") {
      options.file = value;
    } else {
      is_right = std::from_chars(value.data(), value.data() + value.size(), *number->second).ec ==
                     std::errc() &&
                 *number->second > 0;
    }
  }
  if (is_right && options.task == "tokens") return Tokens(options, *MakeCorpus(options));
  if (is_right && !options.file.empty() && options.task == "build") {
    return Build(options, *MakeCorpus(options));
  }
  if (is_right && !options.file.empty() && options.task == "query") {
    return Query(options, *MakeCorpus(options));
  }
  std::fputs(
      "postings_speed build|query|tokens CORPUS [--file FILE] [--queries N] [--rounds N] "
      "[--checked N]\n",
      stderr);
  return 2;
}

}  // namespace
}  // namespace zhiwen

int main(int count, char** words) { return zhiwen::Run({words + 1, words + count}); }
