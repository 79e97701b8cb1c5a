/** Texts with their languages, rich in noise and in changes of dictionary. */
export const SPOKEN = [
  ['en-US', 'This is six, 60 percent.'],
  ['ne-NP', 'नमस्ते hello'],
  ['ru-RU', 'Привет'],
] as const

/** Some seconds of speech for the languages whose engine reads no Latin letters, and for all others (`en`). */
export const SENTENCES: Readonly<Record<string, string>> = {
  en: 'Bananas, tomatoes, radio and piano. We were away a year ago on a long, round arch.',
  ne: 'नमस्ते, तपाईंलाई कस्तो छ? आज मौसम निकै राम्रो छ।',
  hi: 'नमस्ते, आप कैसे हैं? आज मौसम बहुत अच्छा है।',
  mr: 'नमस्कार, कसे आहात? आज हवामान छान आहे.',
  ja: 'こんにちは。おげんきですか。きょうはとてもいいてんきですね。',
  zh: '你好，今天天气很好，我们一起去公园散步吧。',
  ar: 'مرحبا بك، كيف حالك اليوم؟ الطقس جميل جدا.',
  ur: 'آپ کیسے ہیں؟ آج موسم بہت اچھا ہے۔',
  ru: 'Здравствуйте, как у вас дела? Сегодня хорошая погода.',
  uk: 'Добрий день, як у вас справи? Сьогодні гарна погода.',
  el: 'Καλημέρα σας, τι κάνετε σήμερα; Ο καιρός είναι καλός.',
  ko: '안녕하세요, 오늘 날씨가 아주 좋습니다.',
  bn: 'আপনি কেমন আছেন? আজ আবহাওয়া খুব ভালো।',
  gu: 'તમે કેમ છો? આજે હવામાન ખૂબ સરસ છે.',
  pa: 'ਤੁਸੀਂ ਕਿਵੇਂ ਹੋ? ਅੱਜ ਮੌਸਮ ਬਹੁਤ ਚੰਗਾ ਹੈ।',
  ta: 'வணக்கம் நண்பரே, இன்று வானிலை நன்றாக உள்ளது.',
  te: 'మీరు ఎలా ఉన్నారు? ఈరోజు వాతావరణం బాగుంది.',
}
