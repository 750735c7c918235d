#ifndef ZHIWEN_DOCUMENT_FOREIGN_PDF_H_
#define ZHIWEN_DOCUMENT_FOREIGN_PDF_H_

// The text of a PDF file, as the program pdftotext of poppler finds it.
//
// In          the bytes of a file
// Out         ExtractedDocument of the type kPdf: the lines of its pages in reading order, made
//             paragraphs (printed_lines.h), and headings where its outline has their titles
//             (pdf_outline.h); title, author and date as the file says
// Guarantees  pages without text, such as scanned ones, are counted in a note; an outline that
//             cannot be read is a note, too
// Cost        a process for each file: about 10 ms, and 1 ms for each page; a second one of 10 ms
//             where the file may have an outline
// Threads     free function
// Fails       as foreign_program.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns whether a file begins as PDF files do.
bool BeginsAsPdf(std::string_view head);

Result<ExtractedDocument> ExtractPdf(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_PDF_H_
