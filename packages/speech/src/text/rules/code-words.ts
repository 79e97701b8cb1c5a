import { alternatives } from './rule.ts'

const words = (list: string): string[] => list.split(',').map((word) => word.trim())

/** Words for codes alone, in the languages that have rules. */
const SURE = alternatives([
  ...words(
    'otp,otp code,pin code,isbn,cvv,cvc,ssn,pnr,tan,passcode,password,one-time code,verification code,security code,confirmation code',
  ),
  ...words('authentication code,authorization code,access code,activation code,login code,sms code'),
  ...['verificación', 'seguridad', 'confirmación', 'acceso', 'activación', 'autorización'].map(
    (what) => `código de ${what}`,
  ),
  ...['verificação', 'segurança', 'confirmação', 'acesso', 'ativação', 'autenticação'].map(
    (what) => `código de ${what}`,
  ),
  ...['de vérification', 'de sécurité', 'de confirmation', 'de validation', 'de connexion', "d'accès"].map(
    (what) => `code ${what}`,
  ),
  ...words("code d’accès,code d'activation,code secret,code confidentiel,mot de passe"),
  ...words('contraseña,senha,passwort,einmalpasswort,kennwort,mtan,geheimzahl,endziffern,пароль'),
  ...words(
    'bestätigungs,sicherheits,zugangs,aktivierungs,verifizierungs,verifikations,prüf,freischalt,einmal,anmelde,login-,sms-',
  ).map((what) => `${what}code`),
  ...['подтверждения', 'доступа', 'безопасности', 'активации', 'авторизации', 'проверки', 'для входа'].map(
    (what) => `код ${what}`,
  ),
  ...words('ओटीपी,पासवर्ड,ओटीपी कोड,सत्यापन कोड,प्रमाणीकरण कोड'),
  ...['رمز', 'كود'].flatMap((code) =>
    ['التحقق', 'التفعيل', 'التأكيد', 'الدخول', 'الأمان', 'المرور'].map((what) => `${code} ${what}`),
  ),
  ...words('كلمة المرور,كلمة السر'),
  ...['uthibitisho', 'uthibitishaji', 'usalama', 'siri', 'kuingia'].flatMap((what) => [
    `kodi ya ${what}`,
    `kodi yako ya ${what}`,
  ]),
  ...words('nambari ya siri,neno la siri,nenosiri'),
  ...words('暗証番号,認証番号,確認番号,認証コード,確認コード,パスワード'),
  ...words(
    '验证码,驗證碼,校验码,动态码,動態碼,动态密码,動態密碼,密码,密碼,识别码,激活码,登录码,安全码,取件码,提取码',
  ),
])

/** Words for codes that are used of other things, too: `code of conduct`. */
const UNSURE = alternatives([
  ...words('code,pin,zip,id,código,clave,msimbo,код,пин,पिन,कोड,コード,代码,代碼,رمز,الرمز,كود,الكود'),
  ...['account', 'card', 'order', 'booking', 'reference', 'tracking', 'confirmation'].map(
    (what) => `${what} number`,
  ),
])

/** What stands before the last digits of a card or an account, and before numbers of accounts. */
const ENDINGS = [
  ...words('ending in,ending with,last four digits,a/c no.,a/c number,account no.,acct no.,card no.'),
  ...words('खाता नम्बर,खाता नं.,खाता संख्या,आखिरी अंक,अंतिम अंक,inayoishia na,尾号,尾號,末四位,下4桁,末尾'),
]
/** What makes a number before it a quantity in Chinese and Japanese. Some begin another word: `尾号8821个人账户`. */
const COUNTED = String.raw`\s?(?:[余餘亿億円条條款枚倍台臺](?!湾|灣)|[千万萬](?!不|别|別|要)|[個个](?!人)|家(?!庭|族|人|长|長)|公里|米|[种種](?!族)|位(?!于|於|置)|多(?!币|幣)|人(?!民|工)|次(?!日|月)|名(?!下|义|義)|张(?!先生|女士)|件(?!名)|年|元)`
/** Sources of patterns of such words. */
const ENDING_PATTERNS = [
  // Not of a year: `the account ending 2025`.
  String.raw`(?:account|a\/c|acct|card)(?: (?:number|no\.?|card|account))? ending(?!:? ?(?:19|20)\d\d(?!\d))`,
  // With a mask: `A/c XX4821`. Another A/C cools.
  String.raw`a\/c(?=\s?X{1,12}-?\d)`,
  // Not of a quantity: `账号10000个`.
  String.raw`(?:会員番号|予約番号|注文番号|口座番号|订单号|订单编号|卡号|账号|訂單編號|帳號)(?!\s?\d{1,7}${COUNTED})`,
  String.raw`(?:cuenta|tarjeta)(?: \S{1,16}){0,3} (?:terminada|que termina) en`,
  String.raw`(?:conta|cart[ãa]o)(?: \S{1,16}){0,3} (?:com )?(?:final|terminad[oa] em)`,
  String.raw`(?:carte|compte)(?: \S{1,16}){0,3} (?:se )?(?:terminant|finissant|termine) par`,
  String.raw`(?:Karte|Konto)(?: \S{1,16}){0,3} (?:endend auf|mit der Endnummer)`,
  String.raw`(?:карт\p{L}{1,3}|сч[её]т\p{L}{0,2})(?:,? \S{1,16}){0,3},? (?:оканчивающ\p{L}{1,4} на|с окончанием)`,
  // `карта *4821`.
  String.raw`(?:card|account|a\/c|acct|cuenta|tarjeta|conta|cartão|carte|compte|Karte|Konto|карт\p{L}{1,3}|сч[её]т\p{L}{0,2})(?=\s?[*•]{1,12}\d)`,
]

/** Source of the start of a word. Chinese and Japanese have no spaces before words. */
export const WORD_START = String.raw`(?<!(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}])`

/** Words between such a name and its number. */
const LINKS = words(
  'is,number,no.,es,est,est le,es el,ist,lautet,é,ni,yako,yako ni,wako ni,हो,है,हैं,are,नम्बर,नंबर,は,が,是,为,為,هو,هي,الخاص بك',
)
const LINKED = String.raw`\)?(?:\s?(?:${alternatives(LINKS)})){0,2}(?:\s?[:：]|\s[—–-](?=\s))?\s?[*•]{0,12}`
/** Source of a pattern of what precedes a code: `OTP`, `code is`. */
export const NAMED = String.raw`${WORD_START}(?:${SURE}|${UNSURE}|${alternatives(ENDINGS)}|${ENDING_PATTERNS.join('|')})${LINKED}`

const DETERMINERS = alternatives(
  words(
    'your,the,my,our,votre,ton,le,tu,su,el,o,seu,o seu,teu,o teu,a sua,sua,ihr,ihre,dein,deine,der,die,das,ваш,твой,आपका,आपकी,तपाईंको,तपाईँको,तपाइँको',
  ),
)
/** Words after which a number counts nothing: `is 4821 and`. */
const NOT_COUNTED = alternatives(
  words(
    'and,or,as,for,to,from,on,by,do,don’t,it,this,that,valid,please,never,which,et,pour,de,ne,valable,y,no,para,válido,und,für,nicht,gültig,e,é,não,и,для,не,никому,na,usi,kwa,है,हो,हैं,और,र,لا,و',
  ),
)
/** Source of a pattern of what follows a code or its name, so that it is no part of another phrase. */
export const ENDED = String.raw`(?=\s*(?:$|[.,;:!?…)\]）】"”»।。，、،])|\s(?:${NOT_COUNTED})(?![\p{L}\p{M}]))`

/** What a code is for. */
const PURPOSES = alternatives(
  words('for,to,from,of,with,pour,de,du,para,por,do,da,für,zum,zur,von,bei,для,от,на,ya,kwa,wa,لـ,من,ل'),
)
const SAID = alternatives(words('is,es,est,est le,ist,lautet,é,ni,هو,हो,है'))
const PURPOSE = String.raw`(?:${PURPOSES})(?:\s(?!(?:and|but|y|et|und|e|и|or)\s)\S{0,23}[^\s,;:!?]){1,10}`
/** Source of a pattern of what precedes a code that something is said of: `OTP for login is`, `votre code Wi-Fi est`. */
export const DESCRIBED = String.raw`${WORD_START}(?:(?:(?:${SURE})\)?|(?:${DETERMINERS})\s(?:${UNSURE}))\s${PURPOSE}|(?:votre|ton) code (?!postal)[\p{L}-]{2,16})(?:\s(?:${SAID})(?:\s?:)?|\s?:)\s`

/** Words before a name, none of which makes it part of another: `is the number of OTP requests`. */
const FILLERS = String.raw`(?:(?!(?:of|for|in|on|with|without|from|per|de|du|des|pour|por|para|con|von|für|mit|для|из)\s)\S{1,24}\s){0,3}`
const JOINS = [
  // `482913 is your code`.
  String.raw`\s(?:is|est|es|é|ist|ni|هو)\s(?:(?:${DETERMINERS})\s${FILLERS})?`,
  // `482913 — ваш код`.
  String.raw`\s[—–-]\s(?:your|votre|ton|tu|su|seu|sua|ihr|ihre|dein|deine|ваш|твой)\s${FILLERS}`,
  // `482913 तपाईंको OTP हो`.
  String.raw`\s(?:आपका|आपके|तपाईंको|तपाईँको|तपाइँको)\s${FILLERS}`,
  // `Use 123456 as your passcode`.
  String.raw`\s(?:as|como|comme|als)\s(?:(?:${DETERMINERS})\s)?${FILLERS}`,
  // `482913是您的验证码`, `482913（登录验证码）`.
  String.raw`\s?(?:是|为|為|が|は)[^\s，。、！？]{0,10}`,
  String.raw`\s?[（【][^\s（）]{0,10}`,
]
/** After these, the name of codes alone. */
const SURE_JOINS = [...JOINS, String.raw`\s[—–-]\s`, String.raw`\s\((?:(?:${DETERMINERS})\s)?`]
const NO_LETTER = String.raw`(?<![\p{sc=Latn}\p{sc=Cyrl}])`
const IS_SURE = String.raw`(?=(?:${SURE_JOINS.join('|')})${NO_LETTER}(?:${SURE})(?![\p{sc=Latn}\p{sc=Cyrl}]))`
const IS_UNSURE = String.raw`(?=(?:${JOINS.join('|')})${NO_LETTER}(?:${UNSURE})${ENDED})`
/**
 * Source of a pattern of a code that its name follows. Four digits may also be a year, `in 2026 is your code`, and thousands
 * are rather a quantity.
 */
export const FOLLOWED = String.raw`(?:(?:\d{5,9}(?<!000)|\d{3}[ -]\d{3})(?:${IS_SURE}|${IS_UNSURE})|\d{4}(?<!000)(?:${IS_SURE}|(?<!(?:19|20)\d\d)${IS_UNSURE}))`

/** Source of a pattern of a number that is entered for access: `Enter 7391 to log in`. */
export const ENTERED = String.raw`(?<=(?<!\p{L})(?:enter|type|use|input|entrez|saisissez|ingrese|introduzca|введите) )\d{4,9}(?= (?:to (?:log|sign) (?:in|on)|to login|to verify your|pour vous connecter|para iniciar sesión|чтобы войти)(?!\p{L}))`
