"""Web pages of made-up sites around given texts: other navigation, advertisements, and tags of
headings at each."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Site:
    """How the pages of a site look; $title, $body, $links, $advert and $day are replaced."""

    page: str
    heading: str  # with $text
    paragraph: str
    between: str = "\n"


SITES: tuple[Site, ...] = (
    Site(
        """<!DOCTYPE html><html lang="zh"><head><meta charset="utf-8"><title>$title - 晨报网</title>
</head><body><div class="topnav"><ul>$links</ul></div><div class="crumb">您的位置：首页 &gt; 新闻</div>
<div class="article"><h1>$title</h1><div class="info">$day 来源：晨报 责任编辑：小林</div>
<div class="content">$body</div></div><div class="share">分享到：微博 微信</div>
<div class="hot"><h3>热门推荐</h3><ul>$links</ul></div><div class="ad">$advert</div>
<div class="footer">关于我们 | 版权声明 | 联系我们</div></body></html>""",
        "<h2>$text</h2>",
        "<p>$text</p>",
    ),
    Site(
        """<html><head><meta charset="utf-8"><title>$title_南风论坛</title></head><body>
<table width="960"><tr><td><img src="logo.gif" alt="南风"></td><td>$links</td></tr></table>
<table width="960"><tr><td class="title" align="center"><font size="5">$title</font></td></tr>
<tr><td align="center">$day　　阅读：3021次</td></tr><tr><td class="zoom">$body</td></tr></table>
<table width="960"><tr><td>$advert</td></tr><tr><td>【打印本页】【关闭窗口】</td></tr></table>
</body></html>""",
        "<b>$text</b>",
        "　　$text",
        "<br><br>\n",
    ),
    Site(
        """<!DOCTYPE html><html><head><meta charset="utf-8"><title>$title</title></head><body>
<header><nav>$links</nav></header><main><article><header><h1>$title</h1><time>$day</time></header>
$body</article><aside><h2>你可能还喜欢</h2><ul>$links</ul><p>$advert</p></aside></main>
<footer><p>本站内容来自网络，如有侵权请联系删除。</p></footer></body></html>""",
        "<h3>$text</h3>",
        "<p>$text</p>",
    ),
    Site(
        """<!DOCTYPE html><html><head><meta charset="utf-8"><title>$title</title>
<meta name="viewport" content="width=device-width"></head><body><div class="bar">打开客户端</div>
<div id="detail"><div class="tt">$title</div><div class="meta"><span>掌上新闻</span> $day</div>
<div class="rich">$body</div></div><div class="download">下载客户端，阅读体验更佳</div>
<div class="list">$links</div><div class="adv">$advert</div></body></html>""",
        "<p><strong>$text</strong></p>",
        "<div>$text</div>",
    ),
    Site(
        """<html><head><meta charset="utf-8"><title>$title|华章|财经</title></head><body>
<div id="hd"><div class="menu">$links</div></div><div id="main"><div class="left">
<h1 class="main-title">$title</h1><div class="date-source">$day</div>
<div class="article-body" id="artibody">$body<p class="show_author">编辑：小周</p></div>
<div class="keywords">关键字：$links</div></div><div class="right"><div class="side-ad">$advert</div>
<ul class="rank">$links</ul></div></div><div id="ft">华章版权所有</div></body></html>""",
        '<p><span style="font-size:23px">$text</span></p>',
        "<p>　　$text</p>",
    ),
    Site(
        """<!DOCTYPE html><html><head><meta charset="utf-8"><title>$title « 小站</title></head><body>
<div id="wrap"><div id="sidebar"><h4>分类</h4><ul>$links</ul><h4>最新评论</h4><ul>$links</ul></div>
<div class="post"><h2 class="entry-title">$title</h2><div class="entry-content">$body</div>
<div class="navigation">上一篇 下一篇</div><div id="comments"><h3>2 条评论</h3>
<p>好文章，收藏了。</p><p>感谢分享！</p></div></div></div><div>$advert</div></body></html>""",
        "<h3>$text</h3>",
        "<p>$text</p>",
    ),
)

_LINKS = (
    "首页 新闻 国内 国际 社会 财经 股票 基金 体育 足球 篮球 娱乐 明星 电影 音乐 科技 数码 手机 汽车 房产 "
    "家居 教育 高考 留学 健康 养生 旅游 美食 时尚 读书 历史 军事 图片 视频 直播 专题 论坛 博客 微博 招聘"
).split()
_ADVERTS = (
    "限时抢购，全场五折起！",
    "学英语，选我们就对了",
    "装修报价免费领取，点击进入",
    "理财产品年化收益说明，投资有风险。",
    "新用户注册即送大礼包",
)


def render(site: Site, title: str, paragraphs: Sequence[str], rng: random.Random) -> str:
    """Returns a page; paragraphs that begin with # are headings."""
    parts = [
        (site.heading if text.startswith("#") else site.paragraph).replace(
            "$text", escape(text.lstrip("# "), quote=False)
        )
        for text in paragraphs
    ]
    page = site.page
    while "$links" in page:
        words = rng.sample(_LINKS, 12)
        links = "".join(f'<li><a href="/c/{rng.randrange(9999)}.html">{w}</a></li>' for w in words)
        page = page.replace("$links", links, 1)
    day = f"20{rng.randrange(10, 24)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
    page = page.replace("$advert", rng.choice(_ADVERTS)).replace("$day", day)
    page = page.replace("$title", escape(title, quote=False))
    return page.replace("$body", site.between.join(parts))
