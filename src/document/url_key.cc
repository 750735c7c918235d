#include "document/url_key.h"

#include <algorithm>
#include <array>

#include "base/utf8/ascii.h"

namespace zhiwen {
namespace {

struct Scheme {
  std::string_view name, port;  // the scheme's default port
};
constexpr auto kSchemes = std::to_array<Scheme>(
    {{"http", "80"}, {"https", "443"}, {"ws", "80"}, {"wss", "443"}, {"ftp", "21"}});

// Parameters that are dropped, by whole name or by the beginning of the name, in lower case.
constexpr std::array<std::string_view, 4> kDroppedNames = {"phpsessid", "jsessionid", "sessionid",
                                                           "session_id"};
constexpr std::array<std::string_view, 2> kDroppedBeginnings = {"utm_", "aspsessionid"};
constexpr std::string_view kPathSession = ";jsessionid=";

// Removes C0 controls and spaces at both ends, and tabs and line ends everywhere.
std::string Trimmed(std::string_view url) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!url.empty() && is_blank(url.front())) url.remove_prefix(1);
  while (!url.empty() && is_blank(url.back())) url.remove_suffix(1);
  return std::string(url);
}

bool IsDropped(std::string_view parameter) {
  const std::string name = LowerAsciiOf(parameter.substr(0, parameter.find('=')));
  return std::ranges::find(kDroppedNames, name) != kDroppedNames.end() ||
         std::ranges::any_of(kDroppedBeginnings,
                             [&](auto begin) { return name.starts_with(begin); });
}

// Normalizes user:password@HOST:port: the host becomes lower case, and a default port is removed.
std::string Authority(std::string_view authority, std::string_view default_port) {
  const size_t at = authority.rfind('@');
  const std::string_view user = authority.substr(0, at == std::string_view::npos ? 0 : at + 1);
  std::string_view host = authority.substr(user.size());
  std::string_view port;
  const size_t colon = host.rfind(':');
  // A colon inside brackets is a part of an IPv6 address.
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
    while (port.size() > 1 && port.starts_with('0')) port.remove_prefix(1);
  }
  std::string out = std::string(user) + LowerAsciiOf(host);
  if (!port.empty() && port != default_port) out += ":" + std::string(port);
  return out;
}

std::string Path(std::string_view path) {
  std::string out(path);
  std::ranges::replace(out, '\\', '/');
  const size_t session = LowerAsciiOf(out).find(kPathSession);
  if (session != std::string::npos) {
    out.erase(session, std::min(out.find('/', session), out.size()) - session);
  }
  if (out.ends_with('/')) out.pop_back();
  return out;
}

std::string Query(std::string_view query) {
  std::string out;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    if (parameter.empty() || IsDropped(parameter)) continue;
    out += (out.empty() ? '?' : '&') + std::string(parameter);
  }
  return out;
}

}  // namespace

std::string UrlKey(std::string_view url) {
  std::string trimmed = Trimmed(url);
  std::string whole = trimmed;
  std::erase_if(whole, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  std::string_view rest = whole;
  rest = rest.substr(0, rest.find('#'));
  const size_t colon = rest.find(':');
  const auto scheme =
      std::ranges::find(kSchemes, LowerAsciiOf(rest.substr(0, colon)), &Scheme::name);
  if (colon == std::string_view::npos || scheme == kSchemes.end()) return trimmed;
  rest.remove_prefix(colon + 1);
  const size_t slashes = rest.find_first_not_of("/\\");
  if (slashes < 2 || slashes == std::string_view::npos) return trimmed;  // no host
  rest.remove_prefix(slashes);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/\\?"));
  rest.remove_prefix(authority.size());
  const std::string_view path = rest.substr(0, rest.find('?'));
  rest.remove_prefix(std::min(path.size() + 1, rest.size()));
  return std::string(scheme->name) + "://" + Authority(authority, scheme->port) + Path(path) +
         Query(rest);
}

}  // namespace zhiwen
