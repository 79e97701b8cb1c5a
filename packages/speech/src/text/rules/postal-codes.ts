import { replaceMatches } from '../spoken-text.ts'
import { alternatives, type Rule } from './rule.ts'

/** States of the United States by the letters that stand before a ZIP code, without those that are words. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC D C,FL Florida,GA Georgia,' +
    'ID Idaho,IL Illinois,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,MD Maryland,MA Massachusetts,' +
    'MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,' +
    'NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,PA Pennsylvania,RI Rhode Island,' +
    'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,' +
    'WI Wisconsin,WY Wyoming'
  )
    .split(',')
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
)
/** States and cities of India before a PIN code. */
const INDIAN =
  'आंध्र प्रदेश,अरुणाचल प्रदेश,असम,बिहार,छत्तीसगढ़,गोवा,गुजरात,हरियाणा,हिमाचल प्रदेश,झारखंड,कर्नाटक,केरल,मध्य प्रदेश,महाराष्ट्र,मणिपुर,मेघालय,' +
  'मिज़ोरम,नागालैंड,ओडिशा,पंजाब,राजस्थान,सिक्किम,तमिलनाडु,तमिल नाडु,तेलंगाना,त्रिपुरा,उत्तर प्रदेश,उत्तराखंड,पश्चिम बंगाल,दिल्ली,नई दिल्ली,जम्मू और कश्मीर,' +
  'लद्दाख,चंडीगढ़,पुडुचेरी,मुंबई,कोलकाता,चेन्नई,बेंगलुरु,बैंगलोर,हैदराबाद,पुणे,Andhra Pradesh,Assam,Bihar,Delhi,New Delhi,Goa,Gujarat,Haryana,Jharkhand,' +
  'Karnataka,Kerala,Madhya Pradesh,Maharashtra,Odisha,Punjab,Rajasthan,Tamil Nadu,Telangana,Uttar Pradesh,Uttarakhand,West Bengal,' +
  'Mumbai,Kolkata,Chennai,Bengaluru,Bangalore,Hyderabad,Pune'
/** No noun may follow, which would be counted. */
const END = String.raw`(?=\s*$|[.,;:!?)।](?!\d)|\n)`
const ZIP = new RegExp(
  String.raw`(?<=\p{Lu}[\p{L}.]{1,30}, )(?<state>${alternatives(Object.keys(STATES))}) (?<zip>\d{5})(?:-(?<more>\d{4}))?${END}`,
  'gu',
)
const PLACES = alternatives(INDIAN.split(','))
const PIN = new RegExp(
  String.raw`(?<=, ?(?:${PLACES}) ?[-–]? ?|(?<![\p{L}\p{M}])(?:${PLACES}) ?[-–] ?)[1-9]\d{2} ?\d{3}${END}`,
  'gu',
)

/** Reads the postal codes of the United States and of India digit by digit: `Santa Clara, CA 95051`, `मुंबई, महाराष्ट्र 400001`. */
export const speakPostalCodes: Rule = (spoken, language) => {
  if (!/^(?:en|hi)/.test(language.locale)) return spoken
  const zips = replaceMatches(spoken, ZIP, ({ groups = {} }) => {
    const { state = '', zip = '', more } = groups
    const said = `${STATES[state] ?? state} ${language.digits(zip)}`
    return more === undefined ? said : `${said}, ${language.digits(more)}`
  })
  return replaceMatches(zips, PIN, ([written]) => language.digits(written.replace(' ', '')))
}
