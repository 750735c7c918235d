#include "document/url_key.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace zhiwen {
namespace {

TEST(UrlKey, SpellingsOfOnePageAreOne) {
  const std::string page = "https://news.example.cn/a/B?id=7&page=2";
  for (const char* spelling :
       {"https://news.example.cn/a/B?id=7&page=2", "HTTPS://News.Example.CN/a/B?id=7&page=2",
        "https://news.example.cn:443/a/B/?id=7&page=2#top",
        " https://news.example.cn/a/B?id=7&page=2\n", "https:\\\\news.example.cn\\a\\B?id=7&page=2",
        "https://news.example.cn:0443/a/B?id=7&page=2",
        "https://news.example.cn/a/B?utm_source=x&id=7&UTM_medium=y&page=2&",
        "https://news.example.cn/a/B?PHPSESSID=1&id=7&page=2&ASPSESSIONIDQQ=3&session_id=4",
        "https://news.exam\tple.cn/a/B?id=7&&page=2",
        "https://news.example.cn/a/B;JSESSIONID=A1.n?id=7&page=2"}) {
    EXPECT_EQ(UrlKey(spelling), page) << spelling;
  }
  EXPECT_EQ(UrlKey("http://a.cn"), "http://a.cn");
  EXPECT_EQ(UrlKey("http://a.cn/?#x"), "http://a.cn");
  EXPECT_EQ(UrlKey("http://a.cn:/;jsessionid=7/b/"), "http://a.cn//b");
  EXPECT_EQ(UrlKey("http://a.cn:0/b"), "http://a.cn:0/b");
}

TEST(UrlKey, WhatMayBeAnotherPageStaysAnother) {
  for (const char* url :
       {"http://a.cn:8080", "http://a.cn:443", "https://a.cn:80", "http://a.cn/B", "http://a.cn/b?",
        "http://a.cn/b%2F", "http://a.cn/b?x=1&y=2", "http://a.cn/b?y=2&x=1", "http://U:P@a.cn",
        "http://a.cn/b?utm=1", "http://a.cn/b?sid=1", "http://a.cn/../b", "http://[::1]:81",
        "http://[::1]", "http://www.a.cn", "http://a.cn//"}) {
    const std::string key = UrlKey(url);
    std::string expected = url;
    if (expected.ends_with('?') || expected.ends_with('/')) expected.pop_back();
    EXPECT_EQ(key, expected);
  }
}

TEST(UrlKey, OtherValuesAreWhatTheyAre) {
  for (const char* value : {"", "a/B/", "mailto:A@b.CN", "HTTP:a", "http:/a.CN", "http://", "12#3",
                            "urn:ISBN:1", "javascript:X", "新闻"}) {
    EXPECT_EQ(UrlKey(value), value);
  }
  EXPECT_EQ(UrlKey("  x y \n"), "x y");
}

TEST(UrlKey, NoBytesMakeAKeyLongerThanTheUrl) {
  std::mt19937 random(7);
  const std::string parts[] = {"http", "HTTPS", ":", "//", "/",  "\\",  "?",       "&",
                               "#",    "a",     "B", "@",  "80", "443", "utm_x=1", ";jsessionid=2",
                               "=",    "[",     "]", " ",  "\t"};
  for (int i = 0; i < 20'000; ++i) {
    std::string url = i % 2 == 0 ? "http://" : "";
    for (auto n = random() % 9; n > 0; --n) url += parts[random() % std::size(parts)];
    EXPECT_LE(UrlKey(url).size(), url.size()) << url;
  }
}

}  // namespace
}  // namespace zhiwen
