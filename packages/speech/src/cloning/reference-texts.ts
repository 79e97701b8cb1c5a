/**
 * Texts that the engine's voices read, to be compared with a recording. Each has all common sounds of its language, so that
 * its average spectrum is that of the voice. English: the elicitation paragraph of the Speech Accent Archive.
 */
const TEXTS: Readonly<Record<string, string>> = {
  en: 'Please call Stella. Ask her to bring these things with her from the store: six spoons of fresh snow peas, five thick slabs of blue cheese, and maybe a snack for her brother Bob. We also need a small plastic snake and a big toy frog for the kids.',
  ne: 'नमस्ते, तपाईंलाई कस्तो छ? आज मौसम निकै राम्रो छ। हामी भोलि बिहान बजार गएर तरकारी, दूध र केही फलफूल किन्नेछौं। मेरो भाइ पनि सँगै आउँछ।',
  hi: 'नमस्ते, आप कैसे हैं? आज मौसम बहुत अच्छा है। हम कल सुबह बाज़ार जाकर सब्ज़ियाँ, दूध और कुछ फल ख़रीदेंगे। मेरा भाई भी साथ आएगा।',
  fr: 'Bonjour, comment allez-vous ? Il fait très beau ce matin. Demain, nous irons au marché acheter des légumes, du lait et quelques fruits. Mon frère viendra avec nous en voiture.',
  de: 'Guten Tag, wie geht es Ihnen? Das Wetter ist heute sehr schön. Morgen früh gehen wir auf den Markt und kaufen Gemüse, Milch und etwas Obst. Mein Bruder kommt auch mit.',
  es: 'Buenos días, ¿cómo está usted? Hoy hace muy buen tiempo. Mañana iremos al mercado a comprar verduras, leche y algunas frutas. Mi hermano también vendrá con nosotros.',
  pt: 'Bom dia, como está? Hoje o tempo está muito bom. Amanhã vamos ao mercado comprar legumes, leite e algumas frutas. O meu irmão também vem connosco.',
  sw: 'Habari za asubuhi, hujambo? Leo hali ya hewa ni nzuri sana. Kesho tutaenda sokoni kununua mboga, maziwa na matunda. Kaka yangu pia atakuja pamoja nasi.',
  ru: 'Здравствуйте, как у вас дела? Сегодня очень хорошая погода. Завтра утром мы пойдём на рынок и купим овощи, молоко и фрукты. Мой брат тоже придёт.',
  ar: 'صباح الخير، كيف حالك اليوم؟ الطقس جميل جدا. غدا سنذهب إلى السوق لشراء الخضار والحليب وبعض الفواكه. سيأتي أخي معنا أيضا.',
  ja: 'おはようございます。おげんきですか。きょうはとてもいいてんきですね。あしたのあさ、いちばへいって、やさいとぎゅうにゅうとくだものをかいます。',
  zh: '早上好，你好吗？今天天气非常好。明天早上我们去市场买蔬菜、牛奶和一些水果，我的弟弟也会一起来。',
}

/** Returns a text to compare voices by, in the language if there is one. Numerals are read in any language. */
export const referenceText = (language: string): string =>
  TEXTS[language.toLowerCase().split('-')[0] ?? ''] ??
  '12 35 47 89 60, 23 71 94 58 16. 42 67 85 39 91, 17 28 53 76 64.'
