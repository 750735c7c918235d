#ifndef ZHIWEN_DOCUMENT_FOREIGN_RECOGNIZED_TEXT_H_
#define ZHIWEN_DOCUMENT_FOREIGN_RECOGNIZED_TEXT_H_

// The text of pictures of text, as a program that the user names recognizes it (OCR). Recognized
// text has errors of its own, so that it is never mixed with text that a document holds.
//
// In          a picture, or a PDF file whose pages are pictures; a command such as
//             "tesseract - - -l chi_sim", which reads a picture on standard input and writes its
//             text in UTF-8 on standard output
// Out         ExtractedDocument with a note that says so; its sources are all of the file
// Cost        a process for each picture, and one of pdftoppm before it for each page: seconds
// Threads     free functions
// Fails       as foreign_program.h; kExhausted: more than kMostRecognizedPages pages
// Not for     pictures without text

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kMostRecognizedPages = 500;

struct OcrCommand {
  std::string program;
  std::vector<std::string> arguments;
};

// Splits a command at blanks; single or double quotes hold a word together. No shell sees it.
// Fails: kInvalidArgument: it has no word, or a quote that is not closed.
Result<OcrCommand> ParseOcrCommand(std::string_view text);

// Whether a file begins as PNG, JPEG, GIF, BMP, TIFF, WebP or JPEG 2000 files do.
bool BeginsAsPicture(std::string_view head);

Result<ExtractedDocument> RecognizePicture(const OcrCommand& ocr, std::string_view bytes);

// Of a PDF file, all pages of which become pictures. `facts` is what was extracted of it: a
// document without a text, whose title and other facts stay.
Result<ExtractedDocument> RecognizePages(const OcrCommand& ocr, std::string_view bytes,
                                         ExtractedDocument facts);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_RECOGNIZED_TEXT_H_
