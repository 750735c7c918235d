#include "document/foreign/recognized_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseOcrCommand, WordsAreSplitAtBlanksOutsideOfQuotes) {
  const auto words = [](std::string_view text) {
    const OcrCommand command = ParseOcrCommand(text).value();
    std::vector<std::string> all = {command.program};
    all.insert(all.end(), command.arguments.begin(), command.arguments.end());
    return all;
  };
  EXPECT_THAT(words("tesseract - - -l chi_sim"),
              ElementsAre("tesseract", "-", "-", "-l", "chi_sim"));
  EXPECT_THAT(words(" a\t'b c' \"d 'e\" f'g'h '' "), ElementsAre("a", "b c", "d 'e", "fgh", ""));
  EXPECT_THAT(words("a $HOME;b|c"), ElementsAre("a", "$HOME;b|c")) << "no shell sees it";
  for (const char* const bad : {"", "  ", "'a", "a \"b", "''"}) {
    EXPECT_EQ(ParseOcrCommand(bad).error().code, ErrorCode::kInvalidArgument) << bad;
  }
}

TEST(RecognizePicture, TheTextIsWhatTheProgramPrints) {
  const std::string picture = "\x89PNG of words\nand more\n\nanother paragraph";
  EXPECT_TRUE(BeginsAsPicture(picture));
  const auto cat = ParseOcrCommand("tail -n +2").value();
  const ExtractedDocument document = RecognizePicture(cat, picture).value();
  EXPECT_EQ(document.text, "and more\nanother paragraph");
  EXPECT_EQ(document.blocks.front().source.end.value, picture.size());
  ASSERT_EQ(document.notes.size(), 1u);
  EXPECT_THAT(document.notes.front(), HasSubstr("recognized in pictures by tail"));
  const auto nothing = ParseOcrCommand("sh -c 'echo Empty page >&2'").value();
  EXPECT_EQ(RecognizePicture(nothing, picture)->kind, ExtractedKind::kEmpty);
}

TEST(RecognizePicture, AProgramThatFailsOrIsNotThereSaysSo) {
  const auto fault = [](std::string_view command) {
    return RecognizePicture(ParseOcrCommand(command).value(), "\x89PNG").error();
  };
  EXPECT_EQ(fault("no-such-program-to-read").code, ErrorCode::kUnavailable);
  EXPECT_THAT(fault("no-such-program-to-read").message,
              HasSubstr("no-such-program-to-read is not installed"));
  EXPECT_EQ(fault("/no/such").code, ErrorCode::kUnavailable);
  const Error failed = fault("sh -c 'echo no language >&2; exit 3'");
  EXPECT_EQ(failed.code, ErrorCode::kUnreadable);
  EXPECT_THAT(failed.message, HasSubstr("no language"));
  EXPECT_EQ(fault("sh -c 'yes | head -c 20000000'").code, ErrorCode::kExhausted);
}

}  // namespace
}  // namespace zhiwen
