#include "document/html/place_words.h"

#include <array>

#include "document/html/pattern_groups.h"

namespace zhiwen {
namespace {

enum PlaceGroup : uint8_t {
  kInArticle = 0,
  kInMain = 4,
  kInNav = 9,
  kInSide = 11,
  kInFoot,
  kInHead
};
constexpr size_t kInCaption = 28;

constexpr std::array<PatternGroup, kPlaceGroups> kPlaces = {{
    {"article", "article articles art arti *article* *wenzhang*"},
    {"content", "content contents cont con *content* *neirong*"},
    {"body", "body *body*"},
    {"post", "post posts *post* thread message msg"},
    {"main", "main *main* center centre middle"},
    {"text", "text txt *text* paragraph prose"},
    {"entry", "entry entries story *story* detail details *detail* news *news*"},
    {"zhbody",
     "artibody zhengwen *zhengwen* trs *trs_editor* zoom vsb ucap js_content endtext *cnt-main* "
     "epcontent newstext *content_area* *article_content* *text_content*"},
    {"title", "title titles *title* headline heading subject biaoti"},
    {"nav", "nav navi navbar navigation *navig* daohang *daohang* tabs tab"},
    {"menu", "menu menus *menu* toolbar dropdown"},
    {"side", "side sidebar *sidebar* aside left right rail column widget *widget*"},
    {"foot", "foot footer *footer* bottom copyrights"},
    {"head", "head header *header* banner masthead top topbar"},
    {"comment",
     "comment comments *comment* pinglun *pinglun* reply replies *reply* discuss disqus"},
    {"related",
     "related *related* xiangguan *xiangguan* recommend *recommend* tuijian *tuijian* "
     "similar also readmore"},
    {"share",
     "share sharing *share* fenxiang social *social* bshare bdshare jiathis weibo weixin "
     "facebook twitter"},
    {"ad", "ad ads adv advert *advert* sponsor *sponsor* promo *promo* gg guanggao *guanggao*"},
    {"crumb", "crumb crumbs breadcrumb *breadcrumb* weizhi *weizhi* path location position"},
    {"copy", "copyright *copyright* copy legal disclaimer statement banquan"},
    {"login", "login signin signup register user account member profile avatar author"},
    {"hot", "hot rank ranking *rank* popular trending remen *remen* top10"},
    {"tag", "tag tags keyword keywords label labels category categories topic topics"},
    {"pager", "page pager pages pagination *pagin* prev previous next"},
    {"meta", "meta *meta* info source date time byline pub publish published dateline postinfo"},
    {"list", "list lists *list* items item archive index"},
    {"btn", "btn button buttons *button* link links tool tools"},
    {"popup", "popup modal dialog overlay lightbox tooltip cookie *cookie* notice alert"},
    {"caption", "caption *caption* figure photo image img pic picture gallery thumb video player"},
    {"search", "search *search* query form"},
    {"subs", "subscribe *subscri* newsletter rss feed follow guanzhu app download"},
    {"hide", "hide hidden *hidden* none invisible print noprint screen skip"},
}};

constexpr std::array<PatternGroup, kPhraseGroups> kPhrases = {{
    {"copyright", "版权 版權 copyright © ®"},
    {"editor", "责任编辑 責任編輯 编辑： 编辑: 編輯： 校对 editor"},
    {"source", "来源 來源 稿源 source via"},
    {"neighbour", "上一篇 下一篇 上一页 下一页 上一頁 下一頁 上一条 下一条 previous prev next"},
    {"related", "相关 相關 推荐阅读 延伸阅读 related see~also 猜你喜欢 推荐 推薦"},
    {"comment", "评论 評論 留言 回复 回覆 跟帖 网友 comment comments reply replies respond"},
    {"share", "分享 share tweet facebook twitter 微博 微信 转发"},
    {"login", "登录 登錄 登入 注册 註冊 login signin register sign~in log~in sign~up"},
    {"print", "打印 列印 print email 字号 字号： 收藏"},
    {"top", "返回 顶部 頂部 back~to~top top"},
    {"subscribe", "订阅 訂閱 扫一扫 二维码 客户端 关注 subscribe newsletter rss follow"},
    {"disclaimer", "不代表 免责 转载 轉載 声明 聲明 侵权 disclaimer terms privacy reserved"},
    {"hot", "热门 熱門 排行 点击 热点 most popular trending"},
    {"advertisement", "广告 廣告 推广 赞助 advertisement sponsored advertise"},
    {"home", "首页 首頁 主页 当前位置 您的位置 home index"},
    {"date",
     "年 月 日 january february march april june july august september october november "
     "december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday "
     "thursday friday saturday sunday"},
    {"posted", "发表 發表 发布 發布 作者 记者 記者 楼 posted by author published updated"},
    {"more", "更多 查看 全文 详细 more read~more continue view"},
    {"contact", "联系 聯繫 电话 电邮 地址 邮箱 contact tel fax address about"},
    {"search", "搜索 搜尋 查询 检索 search find"},
    {"photo", "图片 图片： 摄 圖 图为 photo image picture caption photograph"},
    {"abstract", "摘要 导读 核心提示 提要 abstract summary keywords tags 标签 关键词"},
}};

}  // namespace

uint32_t FindPlaceWords(std::string_view names) {
  static const PatternGroups groups(kPlaces);
  return groups.Find(names);
}

uint32_t PlaceWordsOf(HtmlTag tag) {
  const auto bit = [](size_t group) { return uint32_t{1} << group; };
  switch (tag) {
    case HtmlTag::kArticle:
      return bit(kInArticle);
    case HtmlTag::kMain:
      return bit(kInMain);
    case HtmlTag::kNav:
      return bit(kInNav);
    case HtmlTag::kAside:
      return bit(kInSide);
    case HtmlTag::kFooter:
      return bit(kInFoot);
    case HtmlTag::kHeader:
      return bit(kInHead);
    case HtmlTag::kFigcaption:
      return bit(kInCaption);
    default:
      return 0;
  }
}

uint32_t FindPhrases(std::string_view text) {
  static const PatternGroups groups(kPhrases);
  return groups.Find(text);
}

std::string_view PlaceGroupName(size_t group) { return kPlaces[group].name; }
std::string_view PhraseGroupName(size_t group) { return kPhrases[group].name; }

}  // namespace zhiwen
