extension PersonFieldNames {
  /// The columns that Outlook writes in Polish, Russian and Japanese, and what Windows Live Mail writes in Japanese. Google writes
  /// English ones in every language.
  static let tableOfOtherScripts = """
    firstName = imię | имя | 名
    middleName = drugie imię | отчество | ミドル ネーム
    lastName = nazwisko | фамилия | 姓
    fullName = imię i nazwisko | nazwa wyświetlana | фио | полное имя | отображаемое имя | 氏名 | 名前 | 表示名
    namePrefix = tytuł | обращение | 肩書き
    nameSuffix = sufiks | суффикс | 敬称
    nickname = pseudonim | псевдоним | ニックネーム
    phoneticFirstName = 名前フリガナ | 名フリガナ | 名ふりがな | 名よみがな | 名カナ | 名かな | 名(フリガナ) | 名(ふりがな) | 名(カナ) | 名(かな) | \
    名（フリガナ） | 名（ふりがな） | 名（カナ） | 名（かな） | メイ
    phoneticLastName = 姓フリガナ | 姓ふりがな | 姓よみがな | 姓カナ | 姓かな | 姓(フリガナ) | 姓(ふりがな) | 姓(カナ) | 姓(かな) | \
    姓（フリガナ） | 姓（ふりがな） | 姓（カナ） | 姓（かな） | セイ
    phoneticName = フリガナ | ふりがな | よみがな | ヨミガナ | 氏名フリガナ | 氏名ふりがな | 氏名カナ | 氏名(フリガナ) | 氏名(ふりがな) | \
    氏名(カナ) | 氏名（フリガナ） | 氏名（ふりがな） | 氏名（カナ）
    organization = организация | компания | 会社名 | 会社
    departments = dział | отдел | 部署
    title = stanowisko | должность | 役職
    birthday = urodziny | data urodzenia | день рождения | дата рождения | 誕生日 | 生年月日
    dates:anniversary = rocznica | годовщина | 記念日
    note = notatki | notatka | uwagi | заметки | заметка | примечание | примечания | メモ | 備考
    groups = kategorie | категории | группы | 分類 | 分類項目 | カテゴリ | グループ
    urls = strona sieci web | strona internetowa | веб-страница | сайт | web ページ
    urls:home = osobista strona sieci web | 個人 web ページ
    urls:work = ビジネス web ページ
    relations:spouse = współmałżonek | małżonek | супруг(а) | 配偶者
    relations:child = dzieci | дети | 子供
    relations:manager = menedżer | kierownik | руководитель | マネージャー
    relations:assistant = imię i nazwisko asystenta | имя помощника | 秘書の氏名
    emails = adres e-mail | adres e-mail 2 | adres e-mail 3 | adres email | poczta | адрес эл. почты | адрес 2 эл. почты | \
    адрес 3 эл. почты | эл. почта | электронная почта | адрес электронной почты | почта | 電子メール アドレス | \
    電子メール 2 アドレス | 電子メール 3 アドレス | メールアドレス | メール アドレス | メール | eメール
    phones = telefon podstawowy | numer telefonu | основной телефон | телефон | номер телефона | 通常の電話 | 電話 | 電話番号
    phones:other = inny telefon | другой телефон | その他の電話
    phones:work = telefon służbowy | telefon służbowy 2 | рабочий телефон | телефон раб. 2 | 会社電話 | 会社電話 2 | 勤務先電話番号
    phones:home = telefon domowy | telefon domowy 2 | домашний телефон | телефон дом. 2 | 自宅電話 | 自宅電話 2 | 自宅電話番号
    phones:cell = telefon komórkowy | komórka | телефон переносной | телефон моб. | мобильный телефон | мобильный | 携帯電話 | \
    携帯電話番号
    phones:car = telefon w samochodzie | телефон в машине | 自動車電話
    phones:pager = пейджер | ポケットベル
    phones:main = główny telefon do firmy | основной телефон организации | 会社代表電話
    phones:assistant = telefon asystenta | телефон помощника | 秘書の電話
    phones:work fax = faks służbowy | рабочий факс | 会社 fax | 勤務先ファックス
    phones:home fax = faks domowy | домашний факс | 自宅 fax | 自宅ファックス
    phones:fax = inny faks | faks | другой факс | факс | その他の fax | ファックス
    addresses:work.street = adres służbowy - ulica | adres służbowy - ulica 2 | adres służbowy - ulica 3 | улица (раб. адрес) | \
    улица 2 (раб. адрес) | улица 3 (раб. адрес) | 番地 (会社) | 住所 2 (会社) | 住所 3 (会社) | 勤務先の番地
    addresses:work.city = adres służbowy - miejscowość | город (раб. адрес) | 市町村 (会社) | 市区町村 (会社) | 勤務先の市区町村
    addresses:work.region = adres służbowy - województwo | область (раб. адрес) | 都道府県 (会社) | 勤務先の都道府県
    addresses:work.postalCode = adres służbowy - kod pocztowy | индекс (раб. адрес) | 郵便番号 (会社) | 勤務先の郵便番号
    addresses:work.country = adres służbowy - kraj | adres służbowy - kraj/region | страна (раб. адрес) | \
    страна или регион (раб. адрес) | 国 (会社)/地域 | 勤務先の国または地域
    addresses:work.box = służbowa skrzynka pocztowa | почтовый ящик (раб. адрес) | 会社住所私書箱
    addresses:home.street = adres domowy - ulica | adres domowy - ulica (2) | adres domowy - ulica (3) | adres domowy - ulica 2 | \
    adres domowy - ulica 3 | улица (дом. адрес) | улица 2 (дом. адрес) | улица 3 (дом. адрес) | 番地 (自宅) | 住所 2 (自宅) | \
    住所 3 (自宅) | 自宅の番地
    addresses:home.city = adres domowy - miejscowość | город (дом. адрес) | 市町村 (自宅) | 市区町村 (自宅) | 自宅の市区町村
    addresses:home.region = adres domowy - województwo | область (дом. адрес) | 都道府県 (自宅) | 自宅の都道府県
    addresses:home.postalCode = adres domowy - kod pocztowy | почтовый код (дом.) | 郵便番号 (自宅) | 自宅の郵便番号
    addresses:home.country = adres domowy - kraj | adres domowy - kraj/region | страна (дом. адрес) | \
    страна или регион (дом. адрес) | 国 (自宅)/地域 | 国または地域
    addresses:home.box = domowa skrzynka pocztowa | почтовый ящик (дом. адрес) | 自宅住所私書箱
    addresses:other.street = inny adres - ulica | inny adres - ulica 2 | inny adres - ulica 3 | улица (другой адрес) | \
    улица 2 (другой адрес) | улица 3 (другой адрес) | 番地 (その他) | 住所 2 (その他) | 住所 3 (その他)
    addresses:other.city = inny adres - miejscowość | город (другой адрес) | 市町村 (その他) | 市区町村 (その他)
    addresses:other.region = inny adres - województwo | область (другой адрес) | 都道府県 (その他)
    addresses:other.postalCode = inny adres - kod pocztowy | индекс (другой адрес) | 郵便番号 (その他)
    addresses:other.country = inny adres - kraj | inny adres - kraj/region | страна (другой адрес) | \
    страна или регион (другой адрес) | 国 (その他)/地域
    addresses:other.box = inna skrzynka pocztowa | почтовый ящик (другой адрес) | その他住所私書箱
    addresses:.street = ulica | adres | улица | адрес | 番地 | 住所
    addresses:.city = miejscowość | miasto | город | 市区町村 | 市町村
    addresses:.region = województwo | область | 都道府県
    addresses:.postalCode = kod pocztowy | индекс | почтовый индекс | 郵便番号
    addresses:.country = kraj | kraj/region | страна | 国
    - = inicjały | инициалы | イニシャル | płeć | пол | 性別 | priorytet | важность | 優先度 | charakter | пометка | 秘密度 | prywatne | \
    частное | プライベート | język | язык | 言語 | lokalizacja | расположение | 場所 | lokalizacja biura | расположение комнаты | 事業所 | \
    konto | счет | アカウント | zawód | профессия | 職業 | hobby | хобби | 趣味 | słowa kluczowe | ключевые слова | キーワード | teleks | \
    телекс | テレックス | radiotelefon | радиотелефон | 無線電話 | wywołanie zwrotne | обратный вызов | コールバック | telefon tty/tdd | \
    телетайп/телефон с титрами | typ e-mail | typ poczty e-mail | rodzaj e-mail 2 | rodzaj e-mail 3 | nazwa wyświetlana e-mail | \
    nazwa wyświetlana e-mail 2 | nazwa wyświetlana e-mail 3 | wyświetlana nazwa e-mail | wyświetlana nazwa e-mail 2 | \
    wyświetlana nazwa e-mail 3 | тип эл. почты | краткое имя эл. почты | тип 2 эл. почты | краткое 2 имя эл. почты | \
    тип 3 эл. почты | краткое 3 имя эл. почты | 電子メールの種類 | 電子メール表示名 | 電子メール 2 の種類 | 電子メール 2 表示名 | \
    電子メール 3 の種類 | 電子メール 3 表示名 | 会社名フリガナ
    """
}
