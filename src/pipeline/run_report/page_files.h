#ifndef ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FILES_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FILES_H_

// The files of page/, embedded when the program is built (cmake/EmbedFiles.cmake), with the SHA-256
// of each as 64 hex digits: the page allows itself these and nothing else. And those of
// pipeline/word/parts/, which are the same in every Word file.

#include <string_view>

namespace zhiwen {

extern const std::string_view kPageHtml, kPageHtmlSha256;
extern const std::string_view kReportHtml, kReportHtmlSha256;
extern const std::string_view kEvaluationHtml, kEvaluationHtmlSha256;
extern const std::string_view kCheckHtml, kCheckHtmlSha256;
extern const std::string_view kCompareHtml, kCompareHtmlSha256;
extern const std::string_view kPairsHtml, kPairsHtmlSha256;
extern const std::string_view kCalibrationHtml, kCalibrationHtmlSha256;
extern const std::string_view kPageCss, kPageCssSha256;
extern const std::string_view kPageJs, kPageJsSha256;
extern const std::string_view kCompareJs, kCompareJsSha256;
extern const std::string_view kWordTypesXml, kWordPackageLinksXml, kWordDocumentLinksXml;
extern const std::string_view kWordDocumentXml, kWordStylesXml, kWordFooterXml;

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FILES_H_
