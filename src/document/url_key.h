#ifndef ZHIWEN_DOCUMENT_URL_KEY_H_
#define ZHIWEN_DOCUMENT_URL_KEY_H_

// Normalizes a URL, so that different spellings of one page's address get equal keys.
//
// In          an absolute URL of http, https, ws, wss or ftp, as it was written
// Out         the same URL, after WHATWG (https://url.spec.whatwg.org): white space around and tabs
//             and line ends inside dropped; \ read as /; scheme and host in lower case (ASCII); the
//             default port of the scheme dropped. Beyond WHATWG: the fragment, one slash at the end
//             of the path, parameters that track or hold a session (utm_*, phpsessid, jsessionid,
//             sessionid, session_id, aspsessionid*, in any case; ;jsessionid=… in the path), and a
//             query without a parameter dropped
// Guarantees  nothing else changes: neither the order of parameters nor percent signs, dots in
//             paths, user names, http for https, www, or hosts beyond ASCII (punycode)
// Not for     other values, which are returned without the white space around

#include <string>
#include <string_view>

namespace zhiwen {

std::string UrlKey(std::string_view url);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_URL_KEY_H_
