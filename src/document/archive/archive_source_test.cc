#include "document/archive/archive_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <vector>

#include "document/archive/tar_entry.h"
#include "support/zip_builder.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a source gave: names with contents, or with the reason of the fault; and how it ended.
struct Members {
  std::vector<std::string> all;
  std::string stream;
  std::string failure;
  bool ends_whole = false;
};

Members ReadSource(std::unique_ptr<ByteSource> source, size_t piece_bytes = 1 << 20) {
  Members members;
  std::string piece(piece_bytes, '\0');
  for (size_t count = piece_bytes; count == piece_bytes;) {
    const Result<size_t> read = source->Read(piece);
    count = read ? *read : source->before_failure().bytes;
    members.stream.append(piece, 0, count);
    if (read) continue;
    members.failure = read.error().message;
    members.ends_whole = source->before_failure().ends_whole;
    EXPECT_EQ(source->Read(piece).error().message, members.failure);
    break;
  }
  TarCutter cutter(members.stream);
  for (std::string_view bytes = cutter.Next(); !bytes.empty(); bytes = cutter.Next()) {
    const TarEntry entry = ParseTarEntry(bytes);
    members.all.push_back(entry.fault ? entry.name + " ! " + entry.fault->message
                                      : entry.name + "=" + std::string(entry.content));
  }
  return members;
}

Members ReadFile(const std::string& bytes, const ArchiveOptions& options = {},
                 size_t piece_bytes = 1 << 20) {
  auto source = OpenArchive(OpenBytes(bytes, "a.zip"), Compression::kNone, bytes.size(), options);
  return ReadSource(*std::move(source), piece_bytes);
}

Members ReadStream(const std::string& bytes) {
  const size_t first = std::min<size_t>(bytes.size(), 5);
  auto rest = OpenByteSource(OpenBytes(bytes.substr(first), "-"), Compression::kNone);
  auto source = OpenArchive(bytes.substr(0, first), *std::move(rest), "-", ArchiveOptions{});
  return ReadSource(*std::move(source));
}

struct Written {
  std::string name, content;
  mode_t type = AE_IFREG;
};

std::string Write(const std::vector<Written>& members, int format, int filter = ARCHIVE_FILTER_NONE,
                  const char* options = nullptr) {
  std::string out(size_t{1} << 20, '\0');
  size_t size = 0;
  archive* const writer = archive_write_new();
  archive_write_set_format(writer, format);
  archive_write_add_filter(writer, filter);
  if (options != nullptr) archive_write_set_options(writer, options);
  archive_write_set_passphrase(writer, "password");
  archive_write_open_memory(writer, out.data(), out.size(), &size);
  for (const Written& member : members) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, member.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 1714550400, 0);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.content.size()));
    if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    EXPECT_EQ(archive_write_header(writer, entry), ARCHIVE_OK) << archive_error_string(writer);
    archive_write_data(writer, member.content.data(), member.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(size);
  return out;
}

// A text that stays long when it is packed.
std::string MakeDigits() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919);
  return text;
}

const std::vector<Written> kMembers = {{"a.txt", "first"},
                                       {"dir", "", AE_IFDIR},
                                       {"link", "", AE_IFLNK},
                                       {"../up.txt", "second"},
                                       {"/abs.txt", std::string(100000, 'x')},
                                       {"empty", ""}};

TEST(ArchiveSource, FilesOfEveryKindOfArchiveAreEntries) {
  for (const int format : {ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED,
                           ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FORMAT_7ZIP}) {
    const std::string bytes = Write(kMembers, format);
    EXPECT_TRUE(BeginsAsArchive(bytes));
    const Members members = ReadFile(bytes);
    std::vector<std::string> found = members.all;
    std::ranges::sort(found);  // of 7z, files without content come last
    EXPECT_THAT(found, ElementsAre("../up.txt=second", "/abs.txt=" + std::string(100000, 'x'),
                                   "a.txt=first", "empty="))
        << format;
    EXPECT_EQ(members.failure, "");
    EXPECT_EQ(ParseTarEntry(members.stream).modified, 1714550400);
    EXPECT_EQ(ReadFile(bytes, {}, 100).stream, members.stream);
    if (format == ARCHIVE_FORMAT_7ZIP) continue;
    const std::string files = Write({{"a.txt", "first"}, {"b.txt", "second"}}, format);
    EXPECT_EQ(ReadStream(files).stream, ReadFile(files).stream);
  }
  for (const int filter : {ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2}) {
    EXPECT_EQ(ReadFile(Write(kMembers, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, filter)).all.size(), 4u);
  }
  EXPECT_THAT(ReadStream(Write(kMembers, ARCHIVE_FORMAT_7ZIP)).failure, HasSubstr("name the file"));
}

TEST(ArchiveSource, SkippingIsReading) {
  const std::string bytes = Write(kMembers, ARCHIVE_FORMAT_ZIP);
  const std::string all = ReadFile(bytes).stream;
  for (const size_t skipped : {size_t{0}, size_t{1024}, size_t{70000}, all.size()}) {
    auto source = OpenArchive(OpenBytes(bytes, "a"), Compression::kNone, bytes.size(), {});
    ASSERT_TRUE((*source)->Skip(skipped));
    EXPECT_EQ(ReadSource(*std::move(source)).stream, all.substr(skipped));
  }
  auto source = OpenArchive(OpenBytes(bytes, "a"), Compression::kNone, bytes.size(), {});
  EXPECT_FALSE((*source)->Skip(all.size() + 1));
}

TEST(ArchiveSource, NamesThatAreNotUtf8AreDecoded) {
  std::string bytes = MakeZip({{"abcdefgh.txt", "x"}, {"山路.txt", "y"}});
  const std::string gbk = "\xB5\xDA\xD2\xBB\xD5\xC2 1";  // 第一章 1
  for (size_t at = bytes.find("abcdefgh"); at != std::string::npos; at = bytes.find("abcdefgh")) {
    bytes.replace(at, gbk.size(), gbk);
  }
  EXPECT_THAT(ReadFile(bytes).all, ElementsAre("第一章 1.txt=x", "山路.txt=y"));
}

TEST(ArchiveSource, DamagedMembersHideNoOthers) {
  std::string bytes = MakeZip({{"a", "first"}, {"b", MakeDigits()}, {"c", "third"}});
  bytes[3000] ^= 0x55;  // in the content of b
  const Members members = ReadFile(bytes);
  ASSERT_EQ(members.all.size(), 3u);
  EXPECT_EQ(members.all[0], "a=first");
  EXPECT_THAT(members.all[1], HasSubstr("b ! it is damaged ("));
  EXPECT_EQ(members.all[2], "c=third");
  EXPECT_EQ(members.failure, "");
}

TEST(ArchiveSource, EncryptedMembersAreFaults) {
  const std::string bytes = Write({{"a.txt", "secret"}, {"b.txt", "secret"}}, ARCHIVE_FORMAT_ZIP,
                                  ARCHIVE_FILTER_NONE, "zip:encryption=aes256");
  const Members members = ReadFile(bytes);
  EXPECT_THAT(members.all, ElementsAre(HasSubstr("a.txt ! it is encrypted"),
                                       HasSubstr("b.txt ! it is encrypted")));
}

TEST(ArchiveSource, LargeMembersAreFaults) {
  for (const int format : {ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED}) {
    const std::string bytes = Write(kMembers, format);
    const Members members = ReadFile(bytes, {.max_member_bytes = 99999});
    EXPECT_THAT(members.all,
                ElementsAre("a.txt=first", "../up.txt=second",
                            HasSubstr("/abs.txt ! it has more than 99999 bytes"), "empty="));
    EXPECT_EQ(ReadFile(bytes, {.max_member_bytes = 100000}).all.size(), 4u);
  }
}

TEST(ArchiveSource, WhatUnpacksToTooMuchEnds) {
  ZipMembers members;
  for (int i = 0; i < 40; ++i) members.emplace_back(std::to_string(i), std::string(100000, '\0'));
  std::string bytes = MakeZip(members);
  EXPECT_EQ(ReadFile(bytes, {.free_bytes = 0}).failure, "") << "a ratio below 1000";
  members = {{"a", "x"}, {"b", std::string(24 << 20, '\0')}};
  bytes = MakeZip(members);
  EXPECT_EQ(ReadFile(bytes, {.free_bytes = 64 << 20}).all.size(), 2u);
  const Members cut = ReadFile(bytes, {.free_bytes = 1 << 20});
  EXPECT_THAT(cut.all, ElementsAre("a=x"));
  EXPECT_THAT(cut.failure, HasSubstr("unpacks to more than 1000 times its size"));
  EXPECT_TRUE(cut.ends_whole);
}

TEST(ArchiveSource, CutArchivesGiveTheMembersBefore) {
  for (const int format : {ARCHIVE_FORMAT_ZIP, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED}) {
    const std::string bytes = Write({{"a.txt", "first"}, {"b.txt", MakeDigits()}}, format);
    const Members members = ReadFile(bytes.substr(0, bytes.size() / 2));
    ASSERT_FALSE(members.all.empty());
    EXPECT_EQ(members.all.front(), "a.txt=first");
    EXPECT_NE(members.failure, "") << format;
    EXPECT_TRUE(members.ends_whole);
  }
  EXPECT_THAT(ReadFile("no archive at all").failure, HasSubstr("no archive that is read"));
  EXPECT_EQ(ReadFile(std::string(1024, '\0')).failure, "") << "an empty tar archive";
}

TEST(BeginsAsArchive, OfficeFilesAreNone) {
  EXPECT_FALSE(BeginsAsArchive(MakeWord("<w:p/>")));
  EXPECT_FALSE(BeginsAsArchive(MakeZip({{"mimetype", "application/epub+zip"}})));
  EXPECT_TRUE(BeginsAsArchive(Write({{"a.docx", MakeWord("<w:p/>")}}, ARCHIVE_FORMAT_ZIP,
                                    ARCHIVE_FILTER_NONE, "zip:compression=store")))
      << "an archive that holds one";
  EXPECT_FALSE(BeginsAsArchive(""));
  EXPECT_FALSE(BeginsAsArchive(std::string(1024, '\0')));
  EXPECT_FALSE(BeginsAsArchive(std::string(1024, 'x')));
}

}  // namespace
}  // namespace zhiwen
