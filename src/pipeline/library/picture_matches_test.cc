#include "pipeline/library/picture_matches.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "pipeline/batches/batch_test_support.h"
#include "store/sqlite/memory_vfs_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

// Returns the pixels of a disc on a gradient; `shift` moves the disc, `light` is added to all.
std::string DiscPixels(int shift, int light = 0, bool is_grey = false) {
  constexpr int kSide = 64;
  std::string pixels = "P6\n64 64\n255\n";
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int dx = x - 20 - shift, dy = y - 24;
      const bool is_inside = dx * dx + dy * dy < 200;
      const int red = is_inside ? 230 : 2 * x, green = is_inside ? 180 : 3 * y, blue = 40;
      const int grey = (red * 299 + green * 587 + blue * 114) / 1000;
      for (const int channel : {red, green, blue}) {
        pixels += static_cast<char>((is_grey ? grey : channel) + light);
      }
    }
  }
  return pixels;
}

const std::string& OneColour() {
  static const std::string pixels = "P6\n8 8\n255\n" + std::string(3 * 64, 'w');
  return pixels;
}

class PicturesOfLibrary : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(files_, "lib", "news")); }

  Result<AddedDocuments> Add(const std::string& id, const std::string& keys,
                             const WorkLabels& work = {}, std::string_view text = "") {
    const auto writer = LibraryWriter::Open("lib", surroundings_.environment(files_));
    EXPECT_TRUE(writer) << writer.error().message;
    const LibraryDocument document = {.id = id, .text = text, .picture = keys, .work = work};
    Result<AddedDocuments> added = (*writer)->Add({&document, 1});
    EXPECT_TRUE((*writer)->Close());
    return added;
  }

  // Returns the ids of the matches, each with the scheme that found it.
  std::string Matches(const std::string& pixels, const TextCheckOptions& options = {}) {
    const auto library = Library::Open(files_, "lib");
    EXPECT_TRUE(library) << library.error().message;
    const auto checked = (*library)->CheckPicture(PictureKeys(pixels), options);
    EXPECT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(checked->verdict, checked->matches.empty() ? Relation::kNone : Relation::kNear);
    std::string matches;
    for (const CheckMatch& match : checked->matches) {
      matches += match.document.id + " " + std::string(ShortChannelName(match.channel)) + " ";
    }
    return matches;
  }

  InMemoryFileSystem files_;
  FaultyFileSystem faults_{files_};
  MemoryVfs vfs_{files_, faults_};
  BatchSurroundings surroundings_;
};

TEST_F(PicturesOfLibrary, AreFoundByTheirShapesOrTheirColours) {
  ASSERT_TRUE(Add("disc", PictureKeys(DiscPixels(0))));
  ASSERT_TRUE(Add("grey", PictureKeys(DiscPixels(0, 0, true))));
  ASSERT_TRUE(Add("moved", PictureKeys(DiscPixels(30))));
  ASSERT_TRUE(Add("one colour", PictureKeys(OneColour())));
  ASSERT_TRUE(Add("text", "", {}, "一段文本"));
  EXPECT_EQ(Matches(DiscPixels(0)), "disc phash64 grey phash64 ");
  EXPECT_EQ(Matches(DiscPixels(0, 5)), "disc phash64 grey phash64 ");
  EXPECT_EQ(Matches(DiscPixels(30)), "moved phash64 ");
  EXPECT_EQ(Matches(DiscPixels(0), {.most_matches = 1}), "disc phash64 ");
  EXPECT_EQ(Matches(OneColour()), "");
  const auto library = Library::Open(files_, "lib");
  const auto empty = (*library)->CheckPicture(PictureKeys(OneColour()), {});
  EXPECT_TRUE(empty->is_empty());
  EXPECT_FALSE((*library)->Check("", {})->is_picture);
}

TEST_F(PicturesOfLibrary, OfTheSuspectsOwnerDoNotMatch) {
  ASSERT_TRUE(Add("of a", PictureKeys(DiscPixels(0)), {.owner = "甲"}));
  ASSERT_TRUE(Add("of nobody", PictureKeys(DiscPixels(0))));
  EXPECT_EQ(Matches(DiscPixels(0), {.owner = "乙"}), "of a phash64 ");
  EXPECT_EQ(Matches(DiscPixels(0), {.owner = "甲"}), "");
}

TEST_F(PicturesOfLibrary, AreNewVersionsWhereTheyLookOtherwise) {
  EXPECT_EQ(Add("p", PictureKeys(DiscPixels(0)))->added, 1U);
  const auto again = Add("p", PictureKeys(DiscPixels(0)));
  EXPECT_EQ(again->unchanged, 1U);
  EXPECT_EQ(again->empty, 0U);
  EXPECT_EQ(Add("p", PictureKeys(DiscPixels(30)))->updated, 1U);
  EXPECT_EQ(Matches(DiscPixels(0)), "");
  EXPECT_EQ(Matches(DiscPixels(30)), "p phash64 ");
  EXPECT_EQ(Add("p", "", {}, "现在是文本")->updated, 1U);
  EXPECT_EQ(Matches(DiscPixels(30)), "");
}

TEST_F(PicturesOfLibrary, HaveKeysThatCanBeRead) {
  const std::string keys = PictureKeys(DiscPixels(0)), hex = PictureKeysToHex(keys);
  EXPECT_EQ(PictureKeysOfHex(hex), keys);
  EXPECT_EQ(PictureKeysOfHex(hex.substr(0, hex.size() - 1)), "");
  EXPECT_EQ(PictureKeysOfHex(hex.substr(0, hex.size() - 2)), "");
  EXPECT_EQ(PictureKeysOfHex(hex + "00"), "");
  EXPECT_EQ(PictureKeysOfHex("xy"), "");
  EXPECT_EQ(PictureKeys("no pixels"), "");
  EXPECT_EQ(Add("p", "no keys").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Add("p", keys, {}, "和文本").error().code, ErrorCode::kInvalidArgument);
}

TEST_F(PicturesOfLibrary, OfAnotherVersionOfASchemeAreRefused) {
  std::string keys;
  for (const char* const name : {"phash64.v9(transform=dct32)", "colour_grid.v9()"}) {
    AppendString(keys, EncodeFingerprint(name, FingerprintBytes{1, 2}));
  }
  ASSERT_TRUE(Add("p", keys));
  const auto library = Library::Open(files_, "lib");
  const auto checked = (*library)->CheckPicture(PictureKeys(DiscPixels(0)), {});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kConflict);
  EXPECT_NE(checked.error().message.find("the picture of document 1"), std::string::npos);
  EXPECT_NE(checked.error().message.find("phash64.v9(transform=dct32)"), std::string::npos);
}

}  // namespace
}  // namespace zhiwen
