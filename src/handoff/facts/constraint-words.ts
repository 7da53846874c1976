// How people say what must and must not be done, in the languages that sessions are held in. Words, not grammar: a
// sentence that has one is quoted as it stands, so a wrong guess costs a line and never changes what was said.

/** One language: alternatives of a regular expression, matched as whole words without regard to case. */
interface LanguageWords {
  /** Orders and bans: never, always, must, do not, only, instead of. */
  readonly strong: string;
  /** Wishes and preferences: prefer, should, please keep. */
  readonly weak: string;
}

const ENGLISH: LanguageWords = {
  strong:
    "never(?! ?mind)|always|ask (?:me |us )?(?:before|first)|(?:change|delete|destroy|touch|remove|break|commit|push) nothing|before (?:you |any )?(?:commit|push|merg|deploy|delet|appl)\\w*|must(?:n'?t| not)?|(?<!\\b(?:i|we|you|they|it|that|which|who|why|still|just|really) )(?:do not|don'?t|do n't)(?! (?:you (?:think|see|have|want)|know|understand|think|worry|mind|we|i\\b|they|work))|mustn'?t|shouldn'?t|should (?:not|never|only|always)|(?<!\\b(?:i|we|they|it|still) )can(?:not|'?t) (?:use|change|break|touch|depend|rely|add|have|exceed)|may not|not allowed|forbidden|under no circumstances|at all costs|instead of|rather than|(?:use|using|prefer|go with|stick (?:to|with)) .{1,80} instead|no (?:new |more |extra |external |additional |third.party |runtime |other |inline |global )+[\\w-]+|no (?!problem|worries|idea|thanks|doubt|wonder|one|luck|rush|longer)[\\w-]+(?: [\\w-]+)?(?=[!.])|without (?:adding|using|changing|breaking|touching|any|introducing|modifying)|only (?:use|change|touch|edit|modify|in|with|the|on|when|if|after)|use only|(?:has|have|got) to (?:be|stay|work|remain|support|run|pass|keep|use)|is required|are required|required to|ensure|avoid|refrain from|stop (?:using|doing|adding|writing|putting)|leave .{1,60} (?:alone|as (?:is|it is|they are)|untouched|unchanged)|hands off|at most|no more than|at least|limit(?:ed)? to|(?:stay|keep) (?:within|under|below)|backwards?.compatib\\w+",
  weak: "prefer(?:ably|ence)?|(?<!(?:there'?s|there (?:is|are|was)|it'?s|that'?s|is the|the|was|are|think) )only|(?:make|be) sure|needs? to (?:be|stay|work|support|run|pass|keep|use)|(?:but|and|please|also) keep \\w+|keep (?=\\w+ (?:on|in|as|out|under|within|itself|the))|should(?! be (?:good|fine|ok(?:ay)?|able|possible|easy|enough|done|ready|all|there)\\b)|please (?:use|keep|leave|write|stick|add|make|also)|keep (?:it|the|this|that|them|all|your|everything|in mind)|i (?:want|would like|'d like|expect)|i don'?t (?:want|think (?:we|you) (?:need|should))|we (?:want|use|only|never|always)|(?<!\\b(?:not|n't|i|you|can|t) )remember (?:to|that)|stick (?:to|with)|follow (?:the|our|this)|use (?:the|our|a|an)? ?[\\w./-]+ (?:for|as|not)|no need|not? (?:yet|now|necessary)|important|from now on|for now|going forward",
};

const SPACED: readonly LanguageWords[] = [
  ENGLISH,
  {
    strong:
      "niemals|nie|immer|frag(?:e|t)? (?:mich |uns )?(?:vorher|bevor|erst)|nichts (?:ändern|löschen|anfassen)|auf keinen fall|unbedingt|keinesfalls|stattdessen|statt|anstatt|anstelle|dar(?:f|fst|fen) (?:\\S+ ){0,6}?(?:nicht|kein\\w*)|(?:soll|sollst|sollen|sollte|sollten) (?:\\S+ ){0,6}?(?:nicht|kein\\w*)|muss|müssen|musst|bitte (?:\\S+ ){0,4}?(?:nicht|nur|kein\\w*|immer)|keine?[nr]? (?:neuen?|weiteren?|externen?|zusätzlichen?|änderungen|abhängigkeiten)\\w*|ausschließlich|(?:nutze|verwende|benutze|nimm|ändere|lösche|fasse?|schreibe?|mach\\w*|lass|committe|pushe?) (?:\\S+ ){0,8}?(?:nicht|nur|kein\\w*)|nur (?:die|den|das|mit|in|wenn|noch)|vermeide\\w*|verboten|höchstens|mindestens",
    weak: "bitte|soll(?:te|ten|en)?|bevorzuge\\w*|lieber|achte darauf|ich (?:will|möchte|brauche)|wir (?:wollen|brauchen|nutzen|verwenden)|wichtig|behalte|ohne",
  },
  {
    strong:
      "jamais|toujours|demande[rz]?(?:-moi)? (?:avant|d'abord)|n['’e](?: ?\\S+){1,4}? (?:pas|jamais|plus|que)|au lieu de|plutôt que|uniquement|seulement|doit|doivent|dois|devez|il faut|il ne faut pas|interdit\\w*|obligatoire\\w*|évite[rz]?|surtout pas|pas de (?:nouvelles?|nouveaux?|dépendances?|modifications?)|au plus|au moins|en aucun cas",
    weak: "préf[éè]re[rz]?|préférable\\w*|veuillez|assure[rz]?[- ](?:toi|vous|de)|je (?:veux|voudrais|souhaite)|important\\w*|garde[rz]?|sans",
  },
  {
    strong:
      "nunca|jam[áa]s|siempre|pregunta(?:r|me)? antes|no (?:uses?|utilices?|utilicen|usar|modifi\\w+|to(?:ques?|car)|cambi\\w+|borr\\w+|elimin\\w+|agreg\\w+|añad\\w+|hag\\w+|escrib\\w+|pong\\w+|instal\\w+|ejecut\\w+|romp\\w+|dej\\w+)|en (?:lugar|vez) de|debe[ns]?|debes|hay que|tiene[ns]? que|prohibido|obligatori[oa]|[úu]nicamente|s[óo]lo|solamente|evita\\w*|bajo ning[úu]n|como m[áa]ximo|al menos",
    weak: "prefiero|prefer\\w+|por favor|aseg[úu]rate|quiero|necesito|importante|mant[ée]n\\w*|usa(?:r|d)?|utiliza\\w*",
  },
  {
    strong:
      "não (?:use\\w*|utiliz\\w+|mude\\w*|alter\\w+|modifi\\w+|toque\\w*|mexa\\w*|apague\\w*|remov\\w+|adicion\\w+|faça\\w*|escrev\\w+|instal\\w+|deixe\\w*|pode\\w*|deve\\w*)|nunca|sempre|em vez de|ao inv[ée]s de|deve[mr]?|tem que|proibido|obrigat[óo]ri[oa]|apenas|somente|evite\\w*|de jeito nenhum|no m[áa]ximo|pelo menos",
    weak: "prefiro|prefer\\w+|por favor|certifique-se|quero|preciso|importante|mantenha\\w*",
  },
  {
    strong:
      "non (?:usare|utilizzare|modificare|toccare|cambiare|cancellare|eliminare|aggiungere|fare|scrivere|installare|deve|devono|si deve)|mai più|non [\\p{L}]+ mai|sempre|al posto di|invece di|deve|devono|bisogna|vietato|obbligatori[oa]|soltanto|solamente|solo (?:il|la|i|le|con|in|se|un)|evita\\w*|al massimo|almeno",
    weak: "preferi\\w+|per favore|assicurati|voglio|vorrei|importante|mantieni",
  },
  {
    strong:
      "nooit|altijd|moet(?:en)?|mag (?:\\S+ ){0,4}?(?:niet|geen)|niet (?:aanpassen|wijzigen|gebruiken|verwijderen|aanraken|toevoegen)|gebruik (?:\\S+ ){0,6}?(?:niet|geen|alleen)|geen (?:nieuwe|extra|externe)|in plaats van|alleen (?:de|het|met|in|als)|uitsluitend|vermijd|verboden|minstens|hoogstens",
    weak: "liever|graag|zorg (?:er\\s?voor|dat)|ik wil|belangrijk",
  },
  {
    strong:
      "aldrig|aldri|alltid|altid|måste|må ikke|får inte|skal ikke|ska inte|inte (?:ändra|använda|ta bort|röra)|ikke (?:endre|bruk|bruge|ændre|slet|rør)|i stället för|istället för|i stedet for|endast|kun|undvik|unngå|undgå|förbjudet|forbudt",
    weak: "helst|helst|gärna|gerne|se till|sørg for|viktigt|viktig|vigtigt|skal|ska",
  },
  {
    strong:
      "nigdy|zawsze|nie (?:używaj\\w*|zmieniaj\\w*|ruszaj\\w*|usuwaj\\w*|dodawaj\\w*|rób\\w*|pisz\\w*|instaluj\\w*|wolno|może\\w*|dotykaj\\w*|modyfikuj\\w*)|musi\\w*|należy|zamiast|wyłącznie|tylko|unikaj\\w*|zabronion\\w+|koniecznie|nikdy|vždy|místo|pouze|nesmí\\w*|nepoužívej\\w*|namiesto|nikdy",
    weak: "wolę|proszę|upewnij się|chcę|ważne|powinn\\w+",
  },
  {
    strong:
      "никогда|всегда|спроси\\S* (?:меня )?(?:прежде|перед|сначала)|нельзя|должн[аоы]?|должен|обязательно|обязан\\w*|вместо|только|исключительно|избега\\w+|запрещ\\w+|ни в коем случае|не (?:трогай\\w*|меняй\\w*|изменяй\\w*|используй\\w*|удаляй\\w*|добавляй\\w*|делай\\w*|пиши\\w*|ставь\\w*|устанавливай\\w*|коммить\\w*|пушь\\w*|ломай\\w*|нужно|надо)|без (?:новых|лишних|сторонних)|ніколи|завжди|не можна|тільки|лише|замість|повин\\w+|не (?:чіпай|змінюй|використовуй|видаляй)\\w*|не менее|не более",
    weak: "лучше|желательно|пожалуйста|убедись|убедитесь|хочу|важно|нужно|надо|предпочт\\w+",
  },
  {
    strong:
      "asla|her zaman|daima|sadece|yalnızca|yerine|zorunlu|yasak|kesinlikle|(?:kullan|değiştir|sil|ekle|dokun|yap|yaz)(?:ma|me)(?:yın|yin)?|-?meli|gerekiyor",
    weak: "lütfen|tercih\\w*|emin ol|istiyorum|önemli",
  },
  {
    strong:
      "không (?:được|bao giờ|dùng|sửa|xóa|thay)|đừng|luôn|phải|chỉ (?:dùng|được|sửa)|thay vì|tránh|bắt buộc|jangan|selalu|harus|hanya|tidak boleh|hindari|alih-alih|wajib",
    weak: "nên|hãy|tolong|sebaiknya|pastikan|penting",
  },
  {
    strong: "ποτέ|πάντα|μόνο|αντί|πρέπει|μην|απαγορεύεται",
    weak: "παρακαλώ",
  },
  {
    strong:
      "soha|mindig|helyett|csak|tilos|ne (?:használ\\w*|módosít\\w*|töröl\\w*)|älä|ei koskaan|aina|sijaan|vain|niciodată|întotdeauna|nu (?:folosi|modifica|șterge)\\w*|doar|în loc de|trebuie",
    weak: "kérlek|mieluummin|te rog",
  },
  {
    strong:
      "أبدا|أبدًا|دائما|دائمًا|يجب|لا (?:تستخدم|تغير|تعدل|تحذف|تضف|تلمس)|فقط|بدلا من|بدلًا من|ممنوع|لازم|אף פעם|לעולם לא|תמיד|חייב\\S*|רק|במקום|אסור|אל (?:ת\\S+)|कभी (?:भी )?(?:नहीं|मत)|हमेशा|मत|केवल|सिर्फ|के बजाय|ज़रूर|هرگز|همیشه|باید|فقط|به جای|نباید",
    weak: "من فضلك|يفضل|בבקשה|עדיף|कृपया|चाहिए|لطفا",
  },
];

/** Written without spaces between words, so word borders do not apply. */
const UNSPACED: LanguageWords = {
  strong:
    "不要|不准|先问|先征得|不能|不可|不许|不得|不用|不需要|别(?!的|人|处)|禁止|必须|必須|务必|務必|一定要|始终|总是|總是|永远|一律|只能|只用|只改|只需|仅(?!仅是)|而不是|代替|替代|改用|换成|避免|切勿|严禁|請勿|请勿|しないで|するな|禁止|必ず|常に|絶対|決して|代わりに|ではなく|のみ|だけに|だけを|べき|避けて|使わない|使わず|なければならない|してはいけない|してはならない|しないこと|すること|変更しない|触らない|하지 ?마|하지 ?말|금지|반드시|항상|절대|대신|만 사용|말고|해야|쓰지|건드리지|ห้าม|ต้อง|เสมอ|อย่า|แทน|เท่านั้น",
  weak: "请用|請用|应该|應該|最好|尽量|希望|建议|优先|保持|确保|确认|てください|ほうがいい|してほしい|優先|주세요|우선|좋겠|유지|กรุณา|ควร",
};

/** Latin letters only: the languages that need no other test. */
const LATIN = SPACED.filter((words) => /[a-z]/.test(words.strong[0] ?? ""));
const OTHER = SPACED.filter((words) => !LATIN.includes(words));

type Strength = "strong" | "weak";
type Pattern = (strength: Strength) => RegExp;

/** Expressions of this size cost milliseconds to make, so each is made when the first text needs it. */
function lazily(make: (strength: Strength) => RegExp): Pattern {
  const made = new Map<Strength, RegExp>();
  return (strength) => {
    const known = made.get(strength) ?? make(strength);
    made.set(strength, known);
    return known;
  };
}

function alternatives(languages: readonly LanguageWords[], strength: Strength): string {
  return languages.map((words) => words[strength]).join("|");
}

/** `\b` is the border of a word for ASCII letters; it needs neither Unicode nor looking back. */
const ascii = lazily((strength) => new RegExp(`\\b(?:${alternatives(LATIN, strength)})\\b`, "i"));
const accented = lazily((strength) => new RegExp(bordered(LATIN, strength), "iu"));
const otherScripts = lazily(
  (strength) => new RegExp(`${bordered(OTHER, strength)}|${UNSPACED[strength]}`, "iu"),
);

function bordered(languages: readonly LanguageWords[], strength: Strength): string {
  return `(?:^|[^\\p{L}\\p{N}_])(?:${alternatives(languages, strength)})(?![\\p{L}\\p{N}_])`;
}

/** How much a sentence says about what must be: 2 an order or a ban, 1 a wish, 0 neither. */
export function constraintStrength(sentence: string): 0 | 1 | 2 {
  if (says(sentence, "strong")) return 2;
  return says(sentence, "weak") ? 1 : 0;
}

/** Letters that an accent, or another script than Latin, makes: quotation marks, arrows and emoji are none. */
const ACCENTED_LETTER = /[\u00c0-\u024f\u1e00-\u1eff]/;
const OTHER_LETTER = /[\u0370-\u1dff\u3040-\ud7ff]/;

function says(sentence: string, strength: Strength): boolean {
  if (ascii(strength).test(sentence)) return true;
  if (ACCENTED_LETTER.test(sentence) && accented(strength).test(sentence)) return true;
  return OTHER_LETTER.test(sentence) && otherScripts(strength).test(sentence);
}
