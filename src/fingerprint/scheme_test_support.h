#ifndef ZHIWEN_FINGERPRINT_SCHEME_TEST_SUPPORT_H_
#define ZHIWEN_FINGERPRINT_SCHEME_TEST_SUPPORT_H_

// Helpers shared by the scheme tests.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "feature/terms/fake_segmenter_test_support.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/executor.h"
#include "zhiwen/scheme.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {

// Extracts the terms of texts whose words a test tags itself: "北京/ns 的/uj 。/x".
inline std::shared_ptr<const TermExtractor> FakeTerms() {
  return std::make_shared<TermExtractor>(std::make_shared<FakeSegmenter>());
}

// Adds document frequencies over 16 documents: 的 is in all, 文本 in 8, 指纹 in 4, 检测 in 1.
inline SchemeResources FakeResources() {
  static InMemoryFileSystem files;
  static const SchemeResources resources = [] {
    SchemeResources made = {.terms = FakeTerms()};
    const auto executor = MakeThreadPool(1);
    auto builder = *SnapshotBuilder::Create(files, *made.terms, {.output = "df.zwt"});
    for (int document = 0; document < 16; ++document) {
      std::string text = "的/uj";
      if (document < 8) text += " 文本/n";
      if (document < 4) text += " 指纹/n";
      if (document < 1) text += " 检测/v";
      const std::string_view view = text;
      EXPECT_TRUE(builder->Add(*executor, std::span(&view, 1), {}));
    }
    EXPECT_TRUE(builder->Finish({}));
    made.snapshot = *TermSnapshot::Open(files, "df.zwt");
    return made;
  }();
  return resources;
}

inline Fingerprint ComputeFingerprint(std::string_view name, std::string_view text,
                                      SchemeResources resources = {}) {
  const auto scheme = Scheme::Create(name, std::move(resources));
  EXPECT_TRUE(scheme) << scheme.error().message;
  return scheme ? *(*scheme)->Compute(text) : Fingerprint();
}

inline std::string Utf8Of(const std::vector<uint32_t>& code_points) {
  std::string text;
  for (const uint32_t code_point : code_points) AppendUtf8(code_point, text);
  return text;
}

// Prints the value as docs/formats/fingerprint.md shows it.
inline std::string PrintFingerprint(const Fingerprint& fingerprint) {
  if (const auto* bytes = std::get_if<FingerprintBytes>(&fingerprint)) {
    return fmt::format("{:02x}", fmt::join(*bytes, ""));
  }
  if (const auto* set = std::get_if<HashSet>(&fingerprint)) {
    return fmt::format("{:016x}", fmt::join(set->hashes, " "));
  }
  if (const auto* codes = std::get_if<CodeSequence>(&fingerprint)) {
    std::string text;
    for (size_t i = 0; i < codes->size(); ++i) {
      text += fmt::format("{}{:02x}", i == 0 ? "" : " ", fmt::join((*codes)[i], ""));
    }
    return text;
  }
  std::vector<std::string> parts;
  if (const auto* selected = std::get_if<SelectedShingles>(&fingerprint)) {
    for (const SelectedShingle& shingle : *selected) {
      parts.push_back(fmt::format("{:016x}@{}:{}-{}", shingle.hash, shingle.position,
                                  shingle.source.begin.value, shingle.source.end.value));
    }
  }
  if (const auto* terms = std::get_if<WeightedTerms>(&fingerprint)) {
    for (const auto& [term, weight] : *terms) parts.push_back(fmt::format("{}:{}", term, weight));
  }
  return HasValue(fingerprint) ? fmt::format("{}", fmt::join(parts, " ")) : "none";
}

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_TEST_SUPPORT_H_
