/**
 * What the benchmark speaks: Article 1 of the Universal Declaration of Human Rights, and messages of a clinic. The parameters of
 * the watermark were chosen on `tuning`; results are reported on `heldOut`, which has other languages.
 */
export const TEXTS = {
  tuning: {
    'en-US': [
      'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
      'Hello, this is the health centre. Your appointment with the doctor has been moved to Thursday at half past nine in the morning. Please bring your insurance card and the results of the last blood test.',
      'If the new time does not suit you, press one, or call us back before five in the afternoon. We wish you a speedy recovery.',
    ],
    'es-ES': [
      'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.',
      'Buenos días, le llamamos del centro de salud. Su cita con la doctora se ha cambiado al jueves a las nueve y media de la mañana. Traiga por favor su tarjeta y los resultados del último análisis.',
      'Si la nueva hora no le conviene, pulse uno o llámenos antes de las cinco de la tarde. Le deseamos una pronta recuperación.',
    ],
    'hi-IN': [
      'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
      'नमस्ते, हम स्वास्थ्य केंद्र से बोल रहे हैं। डॉक्टर के साथ आपकी मुलाकात गुरुवार सुबह साढ़े नौ बजे होगी। कृपया अपना कार्ड और पिछली जाँच की रिपोर्ट साथ लाएँ।',
      'अगर यह समय ठीक नहीं है, तो एक दबाएँ, या शाम पाँच बजे से पहले हमें फोन करें। आप जल्दी स्वस्थ हों।',
    ],
    'de-DE': [
      'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.',
      'Guten Tag, hier ist das Gesundheitszentrum. Ihr Termin bei der Ärztin wurde auf Donnerstag um halb zehn verschoben. Bitte bringen Sie Ihre Karte und die Ergebnisse der letzten Untersuchung mit.',
      'Wenn Ihnen die neue Zeit nicht passt, drücken Sie die Eins oder rufen Sie uns vor siebzehn Uhr zurück. Wir wünschen Ihnen gute Besserung.',
    ],
  },
  heldOut: {
    'fr-FR': [
      'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.',
      "Bonjour, ici le centre de santé. Votre rendez-vous avec le médecin est reporté à jeudi, à neuf heures et demie. Merci d'apporter votre carte et les résultats de la dernière analyse.",
      'Si ce nouvel horaire ne vous convient pas, appuyez sur un, ou rappelez-nous avant dix-sept heures. Nous vous souhaitons un prompt rétablissement.',
    ],
    'ne-NP': [
      'सबै मानिसहरू जन्मजात स्वतन्त्र हुन् र ती सबैको समान अधिकार र महत्त्व छ। निजहरूमा विचारशक्ति र सद्विचार भएकोले निजहरूले आपसमा भाइचाराको भावनाबाट व्यवहार गर्नुपर्छ।',
      'नमस्ते, हामी स्वास्थ्य केन्द्रबाट बोल्दै छौँ। डाक्टरसँगको तपाईंको भेट बिहीबार बिहान साढे नौ बजे हुनेछ। कृपया आफ्नो कार्ड र अघिल्लो जाँचको नतिजा ल्याउनुहोस्।',
      'यदि यो समय मिल्दैन भने एक थिच्नुहोस्, वा साँझ पाँच बजेअघि हामीलाई फोन गर्नुहोस्। तपाईंको शीघ्र स्वास्थ्यलाभको कामना गर्छौं।',
    ],
    'sw-KE': [
      'Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu.',
      'Habari, hii ni kituo cha afya. Miadi yako na daktari imehamishwa hadi Alhamisi saa tatu na nusu asubuhi. Tafadhali lete kadi yako na matokeo ya kipimo cha mwisho cha damu.',
      'Kama muda huu haukufai, bonyeza moja, au tupigie simu kabla ya saa kumi na moja jioni. Tunakutakia nafuu ya haraka na siku njema pamoja na familia yako.',
    ],
    'pt-BR': [
      'Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns para com os outros em espírito de fraternidade.',
      'Bom dia, aqui é do centro de saúde. A sua consulta com a médica foi remarcada para quinta-feira, às nove e meia da manhã. Por favor, traga o seu cartão e os resultados do último exame.',
      'Se o novo horário não for conveniente, aperte um, ou ligue para nós antes das cinco da tarde. Desejamos melhoras.',
    ],
    'ru-RU': [
      'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.',
      'Здравствуйте, вас беспокоит медицинский центр. Ваш приём у врача перенесён на четверг, на половину десятого утра. Возьмите, пожалуйста, карту и результаты последнего анализа.',
      'Если новое время вам не подходит, нажмите один или перезвоните нам до пяти часов вечера. Желаем вам скорейшего выздоровления.',
    ],
    'zh-CN': [
      '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
      '您好，这里是健康中心。您和医生的预约改到了星期四上午九点半。请带上您的卡和上一次检查的结果。',
      '如果新的时间不合适，请按一，或者在下午五点以前给我们回电话。祝您早日康复，也祝您的家人身体健康，生活愉快。',
    ],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>
