import type { Language } from '../language.ts'
import { replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

/** Numbers of accounts of ISO 13616, in fours. */
const IBAN =
  /(?<![\p{L}\p{N}])(?<country>[A-Z]{2})(?<groups>\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?|(?<=\bIBAN\s?:?\s?[A-Z]{2})\d{2}[A-Z0-9]{11,30})(?![\p{L}\p{N}]| \d)/gu

/** National numbers in groups, after their names. */
const NATIONAL = new RegExp(
  String.raw`(?<=(?<!\p{L})(?:SIRET|SIREN|RIB|NIR|sécurité sociale|NIF|CUIT|CNPJ|CPF|Aadhaar|आधार|SSN|ИНН|СНИЛС|ОГРН|КПП)(?:\s(?:number|numéro|no\.|n°|नंबर))?\s?:?\s?(?:(?:is|est|es|é)\s)?)\d{1,11}(?:[ -]\d{1,11}){0,8}(?![\p{L}\d]|[.,:/ -]\d| ?[€$£₽%])`,
  'gu',
)
/** Fewer digits are rather another number. */
const LEAST_DIGITS = 6

/** Numbers of documents, with the last group filled up with zeros: `INV-2026-00123`, `PO-00123`. */
const SERIAL = /(?<![\p{L}\d-])(?<kind>[A-Z]{2,5})-(?<groups>(?:\d{2,8}-)?0\d{2,7})(?![\p{L}\d-])/gu

/** What follows the number of a service in Chinese, and nothing that is counted: `致电10086`, `致电200家企业`. */
const AFTER_SERVICE = String.raw`(?=\s*(?:$|[，。、！？；：（）”」》,.!?;:()]|(?:官方|人工|全国|全國|政务|政務|便民|市民|服务|服務){0,3}(?:热线|熱線|客服|电话|電話|服务|服務|咨询|諮詢|查询|查詢|投诉|投訴|举报|舉報|(?:交通事故|火警|匪警)?(?:报警|報警)|急救|求助|网站|官网|客户端)|进行|進行|联系|聯繫|了解|为您|或|和(?!\d)|转(?=\d|人工)))`
/** Numbers of services in Chinese, beside a word that says so: `致电10086`, `登录12306网站`, `拨打120`. */
const SERVICES = new RegExp(
  String.raw`(?<=(?:拨打|致电|热线|客服|电话|专线|撥打|致電|熱線|電話|專線)(?:服务|电话|热线|号码|专线)?[为是：: ]?)[19]\d{4}(?![\d%]|[.,]\d)${AFTER_SERVICE}` +
    String.raw`|(?<=(?:拨打|致电|撥打|致電) ?)1(?:10|19|20|22)(?![\d%]|[.,]\d)${AFTER_SERVICE}` +
    String.raw`|(?<![\d第.,])[19]\d{4}(?<!000)(?=(?:官方)?(?:网站|官网|客服|热线|客户端)(?!人员|代表))`,
  'g',
)

/** Numbers of three digits that English reads one by one: `flight 117`, `Boeing 747`, `call 911`, `a 911 call`. */
const FLIGHTS = new RegExp(
  String.raw`(?<=(?<!\p{L})(?:[Ff]light|Boeing(?= 7\d7)|(?:[Cc]all|[Dd]ial)(?= 911)) )\d{3}(?![\p{L}\d%-]|[.,:/]\d| (?:miles|people|passengers|times|minutes|hours)(?!\p{L}))` +
    String.raw`|(?<![\p{L}\d.,:/$€£#-]|\d )911(?= (?:call|emergency)(?!\p{L}))`,
  'gu',
)

const NAMED: Readonly<Record<string, RegExp>> = { en: FLIGHTS, zh: SERVICES }

/** Reads identifiers that their form or a word tells: accounts, companies, people, documents and services. */
export const speakIdentifiers: Rule = (spoken, language) => {
  const accounts = replaceMatches(spoken, IBAN, ({ groups: { country = '', groups = '' } = {} }) =>
    [language.spell(country), sayGroups(groups, language)].join(' '),
  )
  const national = replaceMatches(accounts, NATIONAL, ([written]) =>
    written.replace(/\D/g, '').length < LEAST_DIGITS ? undefined : sayGroups(written, language),
  )
  const serials = replaceMatches(
    national,
    SERIAL,
    ({ groups: { kind = '', groups = '' } = {} }) => `${kind}, ${sayGroups(groups, language)}`,
  )
  return replaceMatches(serials, NAMED[language.locale.slice(0, 2)], ([written]) => language.digits(written))
}

/** Reads groups of digits and letters one by one, with a pause between them. */
export const sayGroups = (written: string, language: Language): string =>
  written
    .split(/[ -]/)
    .map((group) =>
      (group.match(/\d+|\D+/g) ?? [])
        .map((part) => (/\d/.test(part) ? language.digits(part) : language.spell(part)))
        .join(' '),
    )
    .join(', ')
