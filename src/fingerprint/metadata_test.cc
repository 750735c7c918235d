// Compares the parts of the metadata scheme with their definition, computed by hand.

#include "zhiwen/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/digest.h"
#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "support/published_vectors.h"

namespace zhiwen {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr std::string_view kKey = "0123456789abcdef";

// Has six paragraphs, with words tagged for FakeTerms.
constexpr std::string_view kAbstract =
    "　　 北京/ns 指纹/n 。/x 引擎/n ！\n \n 检测/v 指纹/n \n 的/uj \r\n 文本/n \n"
    "　　 指纹/n 重复/v 。/x 文本/n 。 \n 结尾/n 检测/v 。\n\n";

DocumentFields Article() {
  return {.text = kAbstract,
          .title = "知文：指纹引擎",
          .author = "王小明",
          .published = "2024-05-01",
          .modified = "2024-05-02",
          .keywords = "指纹,去重",
          .abstract = "一个摘要。"};
}

Result<Fingerprint> Compute(std::string_view name, const DocumentFields& document,
                            SchemeResources resources = {.terms = FakeTerms()}) {
  return (*Scheme::Create(name, std::move(resources)))->ComputeDocument(document);
}

FingerprintBytes BytesOf(std::string_view name, const DocumentFields& document,
                         SchemeResources resources = {.terms = FakeTerms()}) {
  return std::get<FingerprintBytes>(*Compute(name, document, std::move(resources)));
}

FingerprintBytes ToBytes(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// Computes an HMAC as RFC 2104 defines it, for a key of at most one block.
Sha256Digest SealByHand(std::string_view key, std::string_view message) {
  std::string inner(64, '\x36');
  std::string outer(64, '\x5C');
  for (size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<char>(inner[i] ^ key[i]);
    outer[i] = static_cast<char>(outer[i] ^ key[i]);
  }
  const Sha256Digest digest = ComputeSha256(inner.append(message));
  return ComputeSha256(outer.append(digest.begin(), digest.end()));
}

TEST(MetadataScheme, PartsAreHashesOfWhatThePageSays) {
  const std::array<std::string, 8> messages = {"知文：指纹引擎",
                                               "王小明",
                                               "1714521600\x1F"
                                               "1714608000",
                                               "去重\x1F指纹",
                                               "一个摘要。",
                                               "指纹\x1F"
                                               "3\x1F文本\x1F"
                                               "2\x1F检测\x1F"
                                               "2",
                                               "北京/ns 指纹/n 。/x 引擎/n ！",
                                               "指纹/n 重复/v 。"};
  const FingerprintBytes open = BytesOf("metadata(channel=exact,n=3)", Article());
  const SchemeResources with_key = {.terms = FakeTerms(), .key = std::string(kKey)};
  const FingerprintBytes sealed = BytesOf("metadata(channel=exact,n=3)", Article(), with_key);
  ASSERT_EQ(open.size(), kMetadataBytes);
  for (size_t part = 0; part < messages.size(); ++part) {
    EXPECT_EQ(ToBytes(MetadataPart(open, part)), ToBytes(ComputeSha256(messages[part])))
        << kMetadataParts[part];
    EXPECT_EQ(ToBytes(MetadataPart(sealed, part)), ToBytes(SealByHand(kKey, messages[part])))
        << kMetadataParts[part];
  }
  const FingerprintBytes closing = BytesOf("metadata(closing,channel=exact)", Article());
  EXPECT_EQ(ToBytes(MetadataPart(closing, 6)), ToBytes(ComputeSha256("结尾/n 检测/v 。")));
}

TEST(MetadataScheme, AParagraphEndsWhereALineDoes) {
  DocumentFields document;
  document.text = "第一段/n 。\r\r第二段/n 。第二句";
  const FingerprintBytes value = BytesOf("metadata(channel=exact,paragraph=2)", document);
  EXPECT_EQ(ToBytes(MetadataPart(value, 6)), ToBytes(ComputeSha256("第一段/n 。")));
  EXPECT_EQ(ToBytes(MetadataPart(value, 7)), ToBytes(ComputeSha256("第二段/n 。")));
}

TEST(MetadataScheme, GivesThePublishedParts) {
  const std::map<std::string_view, std::pair<std::string_view DocumentFields::*, size_t>> fields = {
      {"title", {&DocumentFields::title, 0}},         {"author", {&DocumentFields::author, 1}},
      {"published", {&DocumentFields::published, 2}}, {"modified", {&DocumentFields::modified, 2}},
      {"keywords", {&DocumentFields::keywords, 3}},   {"abstract", {&DocumentFields::abstract, 4}},
      {"frequent_words", {&DocumentFields::text, 5}}, {"edge", {&DocumentFields::text, 6}},
      {"fixed", {&DocumentFields::text, 7}}};
  size_t vectors = 0;
  for (const std::string block : {"", "key"}) {
    const SchemeResources resources = {.language = TestLanguage(),
                                       .key = std::string(block.empty() ? "" : kKey)};
    for (const auto& [input, output] : PublishedVectors("metadata.md", block)) {
      const size_t field = input.find(' ');
      const size_t value = input.find(" : ");
      const auto& [target, part] =
          fields.at(std::string_view(input).substr(field + 1, value - field - 1));
      DocumentFields document;
      document.*target = std::string_view(input).substr(value + 3);
      const FingerprintBytes bytes = BytesOf(input.substr(0, field), document, resources);
      EXPECT_EQ(fmt::format("{:02x}", fmt::join(MetadataPart(bytes, part), "")), output) << input;
      ++vectors;
    }
  }
  EXPECT_EQ(vectors, 13u);
}

TEST(MetadataScheme, AChangeOfOnePartChangesItsBytesAlone) {
  const auto replaced = [](std::string_view from, std::string_view to) {
    std::string text(kAbstract);
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string other_words = replaced("的/uj", "北京/ns");
  const std::string other_edge = replaced("！", "？");
  const std::string other_fixed = replaced("重复/v 。", "重复/v ！");
  std::array<DocumentFields, 9> changed;
  changed.fill(Article());
  changed[0].title = "知文";
  changed[1].author = "王小";
  changed[2].published = "2024-05-03";
  changed[3].keywords = "指纹";
  changed[4].abstract = "两个摘要。";
  changed[5].text = other_words;
  changed[6].text = other_edge;
  changed[7].text = other_fixed;
  changed[8].modified = "";
  const FingerprintBytes before = BytesOf("metadata(channel=exact)", Article());
  for (size_t i = 0; i < changed.size(); ++i) {
    const FingerprintBytes after = BytesOf("metadata(channel=exact)", changed[i]);
    const auto agreements = CompareParts(before, after);
    for (size_t part = 0; part < agreements.size(); ++part) {
      const bool is_changed = part == (i == 8 ? 2 : i);
      EXPECT_EQ(agreements[part], is_changed ? PartAgreement::kDifferent : PartAgreement::kEqual)
          << i << " " << kMetadataParts[part];
    }
  }
}

TEST(MetadataScheme, WhatIsMissingIsZeroAndEqualsNothing) {
  const FingerprintBytes bytes =
      BytesOf("metadata", {.title = "知文", .author = " 。", .keywords = ",；"});
  EXPECT_THAT(std::span(bytes).subspan(kMetadataPartBytes), Each(0));
  EXPECT_EQ(MetadataPart(bytes, 0).size(), kMetadataPartBytes);
  EXPECT_TRUE(MetadataPart(bytes, 1).empty());
  const auto agreements = CompareParts(bytes, bytes);
  EXPECT_EQ(agreements[0], PartAgreement::kEqual);
  EXPECT_THAT(std::span(agreements).subspan(1), Each(PartAgreement::kMissing));
  EXPECT_FALSE(HasValue(*Compute("metadata", {})));
  EXPECT_FALSE(HasValue(*Compute("metadata", {.text = " \n。\n", .title = "！"})));
  EXPECT_EQ(*Compute("metadata", {.text = kAbstract}),
            *(*Scheme::Create("metadata", {.terms = FakeTerms()}))->Compute(kAbstract));
}

TEST(MetadataScheme, VariantsOfOneThingAreEqualOnFolded) {
  const FingerprintBytes one = BytesOf("metadata", {.text = "語義/n 语义/n ENGINE/eng engine/eng",
                                                    .title = "知文：指紋引擎",
                                                    .author = "Ｗａｎｇ",
                                                    .published = "2024年5月1日8时",
                                                    .modified = "昨天。",
                                                    .keywords = "去重\n指紋\n"});
  const FingerprintBytes other = BytesOf("metadata", {.text = "语义/n engine/eng 語義/n engine/eng",
                                                      .title = " 知文 指纹引擎！",
                                                      .author = "wang",
                                                      .published = "20240501T080000Z",
                                                      .modified = "昨天",
                                                      .keywords = "指纹；去重｜指纹"});
  for (size_t part = 0; part < 6; ++part) {
    EXPECT_EQ(ToBytes(MetadataPart(one, part)), ToBytes(MetadataPart(other, part)))
        << kMetadataParts[part];
  }
}

TEST(MetadataScheme, NamesSayWhichKeyItIs) {
  const auto error_of = [](std::string_view name, std::string key) {
    const auto scheme = Scheme::Create(name, {.terms = FakeTerms(), .key = std::move(key)});
    return scheme ? Error{} : scheme.error();
  };
  const SchemeResources with_key = {.terms = FakeTerms(), .key = std::string(kKey)};
  const std::string name = (*Scheme::Create("metadata", with_key))->canonical_name();
  EXPECT_THAT(name, HasSubstr(",key=7e648a0f6d16afcd,"));
  EXPECT_EQ((*Scheme::Create(name, with_key))->canonical_name(), name);
  EXPECT_THAT((*Scheme::Create("metadata(key=none)", with_key))->canonical_name(),
              HasSubstr(",key=none,"));
  const Error missing = error_of(name, "");
  EXPECT_EQ(missing.code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.message, HasSubstr("it needs a key"));
  EXPECT_EQ(error_of(name, "another key of 20 by").code, ErrorCode::kConflict);
}

TEST(MetadataScheme, RefusesInvalidUtf8InAnyField) {
  const auto value = Compute("metadata", {.text = "一", .abstract = "ab\xFF"});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(value.error().message, HasSubstr("byte 2"));
}

}  // namespace
}  // namespace zhiwen
