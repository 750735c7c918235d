// Computes what the model of bodies sees of pages, chooses bodies by given probabilities, and
// measures the parser and the whole; for tools/train_body_model.py and eval/extract.py.
//
// page_blocks features  PAGES OUT        blocks and their numbers for the first stage
// page_blocks context   PAGES FIRST OUT  numbers for the second, by probabilities of the first
// page_blocks choose    PAGES LAST OUT   texts, by probabilities of the second stage
// page_blocks bodies    PAGES OUT        texts, by the weights of the program
// page_blocks speed     PAGES            one line {"bytes", "parse", "whole"}: seconds of processor
//
// PAGES is, for each page in UTF-8, its length in 4 bytes, little-endian, and its bytes; texts in
// OUT are likewise. Numbers are floats of 4 bytes. For each page, features have the number of
// blocks, and for each block its text and kFirstFeatures numbers.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/html/article_bounds.h"
#include "document/html/body_choice.h"
#include "document/html/body_model.h"
#include "document/html/page_posts.h"
#include "zhiwen/environment.h"

namespace {

using namespace zhiwen;

std::string ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string_view> SplitPages(std::string_view bytes) {
  std::vector<std::string_view> pages;
  while (bytes.size() >= 4) {
    uint32_t length = 0;
    std::memcpy(&length, bytes.data(), 4);
    pages.push_back(bytes.substr(4, length));
    bytes.remove_prefix(4 + pages.back().size());
  }
  return pages;
}

class Output {
 public:
  explicit Output(const char* path) : file_(path, std::ios::binary) {}
  void Number(uint32_t number) { Bytes({reinterpret_cast<const char*>(&number), 4}); }
  void Text(std::string_view text) {
    Number(static_cast<uint32_t>(text.size()));
    Bytes(text);
  }
  void Floats(std::span<const float> floats) {
    Bytes({reinterpret_cast<const char*>(floats.data()), floats.size_bytes()});
  }
  bool Close() {
    file_.close();
    return file_.good();
  }

 private:
  void Bytes(std::string_view bytes) {
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::ofstream file_;
};

struct CountedPage {
  explicit CountedPage(std::string_view html) : page(ParseHtml(html)) {
    for (const HtmlBlock& block : page.blocks) statistics.push_back(CountBlock(page.TextOf(block)));
  }
  HtmlPage page;
  std::vector<BlockStatistics> statistics;
};

// Takes the floats of a page from the front of a file of them.
std::vector<float> TakeFloats(std::string_view& bytes, size_t count) {
  std::vector<float> floats(count);
  std::memcpy(floats.data(), bytes.data(), count * 4);
  bytes.remove_prefix(count * 4);
  return floats;
}

void WriteFeatures(std::string_view html, Output& out) {
  const CountedPage counted(html);
  const BlockFeatures features(counted.page, counted.statistics);
  out.Number(static_cast<uint32_t>(counted.page.blocks.size()));
  FirstFeatures row = {};
  for (size_t i = 0; i < counted.page.blocks.size(); ++i) {
    out.Text(counted.page.TextOf(counted.page.blocks[i]));
    features.Compute(i, row);
    out.Floats(row);
  }
}

void WriteContext(std::string_view html, std::string_view& first, Output& out) {
  const CountedPage counted(html);
  const BlockFeatures features(counted.page, counted.statistics);
  const std::vector<float> probabilities = TakeFloats(first, counted.page.blocks.size());
  const BlockContext context(counted.page, counted.statistics, features, probabilities);
  ContextFeatures row = {};
  for (size_t i = 0; i < counted.page.blocks.size(); ++i) {
    context.Compute(i, row);
    out.Floats(row);
  }
}

std::string ChosenText(const CountedPage& counted, std::span<const float> probabilities) {
  std::vector<uint32_t> body = ChooseBody(counted.page, counted.statistics, probabilities);
  FindPosts(counted.page, counted.statistics, probabilities, body);
  return JoinBlocks(counted.page, body);
}

std::string BodyOf(std::string_view html) {
  const CountedPage counted(html);
  return ChosenText(
      counted, ComputeBodyProbabilities(counted.page, counted.statistics, TrainedBodyWeights()));
}

double Measure(const std::vector<std::string_view>& pages,
               const std::function<size_t(std::string_view)>& work) {
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    const auto begin = SystemClock().ProcessorTime();
    size_t sum = 0;
    for (const std::string_view page : pages) sum += work(page);
    const std::chrono::duration<double> took = SystemClock().ProcessorTime() - begin;
    if (sum == 1) std::puts("");  // keeps the work
    best = std::min(best, took.count());
  }
  return best;
}

int PrintSpeed(const std::vector<std::string_view>& pages) {
  size_t bytes = 0;
  for (const std::string_view page : pages) bytes += page.size();
  const double parse =
      Measure(pages, [](std::string_view html) { return ParseHtml(html).blocks.size(); });
  const double whole = Measure(pages, [](std::string_view html) { return BodyOf(html).size(); });
  std::printf("{\"bytes\":%zu,\"parse\":%.6f,\"whole\":%.6f}\n", bytes, parse, whole);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view work = argc > 1 ? argv[1] : "";
  const std::string bytes = argc > 2 ? ReadFile(argv[2]) : "";
  const std::vector<std::string_view> pages = SplitPages(bytes);
  if (work == "speed" && argc == 3) return PrintSpeed(pages);
  const bool takes_numbers = work == "context" || work == "choose";
  if ((!takes_numbers && work != "features" && work != "bodies") ||
      argc != (takes_numbers ? 5 : 4)) {
    std::fputs("page_blocks: see the head of its source\n", stderr);
    return 2;
  }
  const std::string numbers = takes_numbers ? ReadFile(argv[3]) : "";
  std::string_view left = numbers;
  Output out(argv[argc - 1]);
  for (const std::string_view html : pages) {
    if (work == "features") WriteFeatures(html, out);
    if (work == "context") WriteContext(html, left, out);
    if (work == "bodies") out.Text(BodyOf(html));
    if (work != "choose") continue;
    const CountedPage counted(html);
    std::vector<float> probabilities = TakeFloats(left, counted.page.blocks.size());
    LeaveOutOutsideOfArticle(counted.page, counted.statistics,
                             BlockFeatures(counted.page, counted.statistics), probabilities);
    out.Text(ChosenText(counted, probabilities));
  }
  return out.Close() ? 0 : 1;
}
