"""Traditional Chinese characters read as simplified ones, sign for sign, so that one table of words does for both.

Only what stands in words that the tables know; a text keeps its own characters, this is for looking things up.
"""

from __future__ import annotations

_TRADITIONAL = (
    "碼號帳賬戶鑰驗證護稱認權獲設變換為這個嗎開門鎖螢銀錢電話機手訊組詞憶網絡絡頁號簡錄轉隨連線應聯繫隱對話檔處"
    "駕駛執營簽許課稅統編車牌學員閘間闆戲樂買賣費貨櫃備復習預約級別龍館廠廣東動態圖書寫讀試輸錯誤長慮無說誰問"
    "還總現給發見記東單獨張際郵遞爾傳達維護島灣鄉臺賺區縣縮條項頭題類顯飛體點齊齡聲節結絕縱納紙細終統經絡給絲"
    "鐘鈴鍵鑒鑑關陽陰陳階險離難雲靈靜響順須頻額顆願顧風驅魚鳥麗黃黨齒倆個們偉側偵傷債傾僅價儀億優兒兩冊軍凍劃"
    "則剛創劉劍勁勞勢勝勵勻協單卻厲參雙號嗚嘗嚴園圓團場塊堅塵墊壓壞壯夠夢奪奮婦媽嬰孫寧實審寶將專尋導層屬嶺"
    "週禮後國慶過聖誕來當會內裡裏從幾歲曆歷舊臘驚蟄穀滿種農閏並歐時畢業災鬧燈紀萬爺遠邊樓賽報誌雞歸產麼樣"
)
_SIMPLIFIED = (
    "码号帐账户钥验证护称认权获设变换为这个吗开门锁萤银钱电话机手讯组词忆网络络页号简录转随连线应联系隐对话档处"
    "驾驶执营签许课税统编车牌学员闸间板戏乐买卖费货柜备复习预约级别龙馆厂广东动态图书写读试输错误长虑无说谁问"
    "还总现给发见记东单独张际邮递尔传达维护岛湾乡台赚区县缩条项头题类显飞体点齐龄声节结绝纵纳纸细终统经络给丝"
    "钟铃键鉴鉴关阳阴陈阶险离难云灵静响顺须频额颗愿顾风驱鱼鸟丽黄党齿俩个们伟侧侦伤债倾仅价仪亿优儿两册军冻划"
    "则刚创刘剑劲劳势胜励匀协单却厉参双号呜尝严园圆团场块坚尘垫压坏壮够梦夺奋妇妈婴孙宁实审宝将专寻导层属岭"
    "周礼后国庆过圣诞来当会内里里从几岁历历旧腊惊蛰谷满种农闰并欧时毕业灾闹灯纪万爷远边楼赛报志鸡归产么样"
)
_SIGNS = str.maketrans(_TRADITIONAL, _SIMPLIFIED)


def simplified(text: str) -> str:
    return text if text.isascii() else text.translate(_SIGNS)
