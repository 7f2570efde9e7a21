/// What people and programs call the fields of a person: in options, and as columns of tables.
package enum PersonFieldNames {
  /// The place of each name, a field with a type and a part: `firstName`, `emails:work`, `addresses:home.city`; `nil` for one
  /// that no person has. Names are in lower case, without accents.
  package static let places: [ExactString: String?] = {
    var places: [ExactString: String?] = [:]
    for line in (table + "\n" + tableOfOtherScripts).split(separator: "\n") {
      let halves = line.split(separator: " = ", maxSplits: 1)
      for name in halves[1].split(separator: " | ") {
        places[FoldedText.folded(String(name)).exact] = .some(halves[0] == "-" ? nil : String(halves[0]))
      }
    }
    return places
  }()

  /// The field that somebody may mean by another name, `--last-name`; `nil` if none is known.
  package static func field(meant text: String) -> String? {
    let word = text.lowercased().filter(\.isLetter)
    let place = places.first { $0.value != nil && $0.key.text.filter(\.isLetter) == word }?.value
    return place.map { String($0.prefix { $0 != ":" }) }
  }

  /// English, German, French, Spanish, Italian, Portuguese and Dutch. After `-`: what no person has.
  private static let table = """
    firstName = first name | given name | given | forename | firstname | vorname | prenom | nombre | nome | \
    rufname | voornaam | primeiro nome
    middleName = middle name | additional name | weitere vornamen | zweiter vorname | deuxieme prenom | segundo nombre
    lastName = last name | family name | family | lastname | surname | nachname | nom | apellidos | apellido | \
    cognome | familienname | zuname | nom de famille | achternaam | sobrenome | primer apellido
    fullName = name | full name | display name | fullname | file as | anzeigename | vollstandiger name | \
    nom complet | nombre completo | nome completo | volledige naam | naam
    namePrefix = title | name prefix | prefix | anrede | titre
    nameSuffix = suffix | name suffix | suffixe
    nickname = nickname | spitzname | surnom | apodo | soprannome | apelido | bijnaam
    phoneticFirstName = phonetic first name | given name yomi | given yomi
    phoneticMiddleName = phonetic middle name | additional name yomi
    phoneticLastName = phonetic last name | family name yomi | surname yomi
    organization = company | organization name | organization | org | employer | firma | societe | empresa | \
    societa | azienda | unternehmen | arbeitgeber | entreprise | compania | bedrijf
    departments = department | organization department | abteilung | service
    title = job title | job | organization title | position | occupation | position im unternehmen | \
    berufsbezeichnung | beruf | fonction | puesto | cargo | qualifica
    birthday = birthday | birth | birthdate | born | bday | dob | geburtstag | date of birth | geburtsdatum | \
    geboren | geboren am | date de naissance | anniversaire | fecha de nacimiento | cumpleanos | data di nascita | \
    compleanno | data de nascimento | geboortedatum | verjaardag
    dates:anniversary = anniversary | jahrestag
    note = notes | note | comment | notizen | notas | notiz | bemerkung | bemerkungen | remarque | remarques | \
    nota | note libre | observaciones | opmerkingen
    groups = group membership | labels | label | tags | tag | categories | category | kategorien | groups | \
    gruppe | gruppen | kategorie | groupe | groupes | grupo | grupos | gruppo | gruppi | categoria | categorias
    urls = url | web | homepage | web page | website | webseite | internetseite | site web | sitio web | sito web
    urls:home = personal web page
    ims = imaddress | im address
    relations:spouse = spouse
    relations:child = children
    relations:manager = manager's name
    relations:assistant = assistant's name
    emails = e-mail address | email address | email | e-mail | mail | e-mail 2 address | e-mail 3 address | \
    e-mail-adresse | \
    e-mail 2: adresse | e-mail 3: adresse | adresse de messagerie | adresse e-mail | mailadresse | mail-adresse | \
    emailadresse | email-adresse | courriel | adresse electronique | correo | correo electronico | \
    posta elettronica | indirizzo e-mail | correio eletronico | indirizzo posta elettronica | indirizzo di posta elettronica | e-mailadres | \
    emailadres
    emails:home = e-mail (privat) | e-mail privat | home email | personal email | e-mail (domicile)
    emails:work = e-mail (geschaftlich) | e-mail geschaftlich | work email | business email | e-mail (bureau)
    phones = phone | phone number | primary phone | telephone | tel | telefon | haupttelefon | telefonnummer | \
    rufnummer | numero de telephone | telefono | telefone | telefoon | telefoonnummer
    phones:other = other phone | weiteres telefon
    phones:work = business phone | business phone 2 | telefon geschaftlich | telefon geschaftlich 2 | \
    telephone (bureau) | telefon (geschaftlich) | telefono del trabajo | telephone professionnel
    phones:home = home phone | home phone 2 | telefon privat | telefon (privat 2) | telephone (domicile) | \
    festnetz | telefon (privat) | telephone fixe | telefono casa
    phones:cell = mobile phone | mobile | cell | mobiltelefon | tel. mobile | mobil | handy | handynummer | \
    mobilnummer | mobiltelefonnummer | portable | telephone portable | movil | \
    telefono movil | celular | \
    cellulare | telemovel | mobiel | telefon (mobil) | telefon mobil | telephone mobile | telephone (mobile) | \
    cell phone | cellphone | mobile number | telefono cellulare
    phones:car = car phone | autotelefon
    phones:pager = pager
    phones:main = company main phone | telefon firma
    phones:assistant = assistant's phone
    phones:work fax = business fax | fax geschaftlich
    phones:home fax = home fax | fax privat
    phones:fax = other fax | weiteres fax
    addresses:work.street = business street | business street 2 | business street 3 | strasse geschaftlich | strasse \
    geschaftlich 2 | strasse geschaftlich 3
    addresses:work.city = business city | ort geschaftlich
    addresses:work.region = business state | region geschaftlich
    addresses:work.postalCode = business postal code | postleitzahl geschaftlich
    addresses:work.country = business country/region | business country | land/region geschaftlich
    addresses:work.box = business address po box
    addresses:home.street = home street | home street 2 | home street 3 | strasse privat | strasse privat 2 | \
    strasse privat 3
    addresses:home.city = home city | ort privat
    addresses:home.region = home state | bundesland/kanton privat
    addresses:home.postalCode = home postal code | postleitzahl privat
    addresses:home.country = home country/region | home country | land/region privat
    addresses:home.box = home address po box
    addresses:other.street = other street | other street 2 | other street 3
    addresses:other.city = other city
    addresses:other.region = other state
    addresses:other.postalCode = other postal code
    addresses:other.country = other country/region | other country
    addresses:other.box = other address po box
    addresses:.street = street | street address | address | strasse | adresse | anschrift | rue | calle | via | \
    indirizzo | straat | rua | endereco
    addresses:.city = city | town | ort | wohnort | stadt | ville | ciudad | localidad | citta | plaats | woonplaats | \
    cidade
    addresses:.region = state | region | bundesland | kanton | province | provincia | provincie
    addresses:.postalCode = zip | zip code | postal code | postcode | plz | postleitzahl | code postal | codigo postal | \
    cap | codice postale | cep
    addresses:.country = country | land | pays | pais | paese | nazione
    - = id | remoteid | origin | photo | photo.url | photo.type | photo.bytes | yomi name | initials | \
    short name | maiden name \
    | gender | location | billing information | directory server | mileage | hobby | sensitivity | priority | \
    subject | \
    language | connected on | private | keywords | account | government id number | internet free busy | \
    office location | \
    organizational id number | profession | referred by | user 1 | user 2 | user 3 | user 4 | callback | isdn | \
    radio phone | \
    tty/tdd phone | telex | e-mail type | e-mail display name | e-mail 2 type | e-mail 2 display name | \
    e-mail 3 type | e-mail \
    3 display name | company yomi | schools | geschlecht
    """
}
