"""The commonest phrases of other languages, as a table: data for `injection`. Far fewer than those in English."""

from __future__ import annotations

PHRASES = (
    # begins, needs, phrase: Latin script, accents taken off; the form is that of `phrases`
    (
        "ignore ignorez ignorer oublie oubliez oublier ne_tiens ne_tenez fais_abstraction faites_abstraction",  # French
        "",
        r"(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|plus) compte|fai(?:s|tes) abstraction)(?: \w+){0,4} "
        r"(?:instructions?|consignes?|regles?|directives?|ordres|contexte)(?: \w+)? (?:precedent\w*|anterieur\w*|ci dessus|"
        r"initial\w*)",
    ),
    (
        "ignora ignore ignoren ignoran olvida olvide olviden descarta descarte haz_caso haga_caso",  # Spanish
        "",
        r"(?:ignor[ae]n?|olvid[ae]n?|descart[ae]n?|ha(?:z|ga) caso omiso)(?: \w+){0,4} "
        r"(?:instrucciones?|reglas?|indicaciones|ordenes|directrices|contexto)(?: \w+)? (?:anterior\w*|previ[oa]s?|"
        r"precedentes?)",
    ),
    (
        "ignora ignore ignorem esqueca esquece esquecam desconsidere desconsidera",  # Portuguese
        "",
        r"(?:ignor[ae]m?|esquec[ae]m?|desconsider[ae]m?)(?: \w+){0,4} "
        r"(?:instruc\w+|regras?|orientac\w+|ordens|diretrizes|contexto)(?: \w+)? (?:anterior\w*|previ[oa]s?|acima|"
        r"precedentes?)",
    ),
    (
        "ignora ignori ignorate ignorare dimentica dimenticate trascura trascurate",  # Italian
        "",
        r"(?:ignor[ai](?:te|re)?|dimentic[ai](?:te|re)?|trascur[ai](?:te|re)?)(?: \w+){0,4} "
        r"(?:istruzioni|regole|direttive|ordini|indicazioni|contesto)(?: \w+)? (?:precedent[ei]|anteriori|sopra|iniziali)",
    ),
    (
        "ignoriere ignorier ignorieren ignoriert vergiss vergessen missachte missachten",  # German
        "",
        r"(?:ignorier\w*|vergiss|vergessen sie|missacht\w*)(?: \w+){0,4} (?:vorherig|bisherig|vorig|obig|fruher|vorangehend|"
        r"vorangegangen|ursprunglich)\w+ (?:system)?(?:anweisung|instruktion|regeln|befehle|vorgaben|anordnungen|prompt)",
    ),
    (
        "beachte beachten befolge befolgen",
        "nicht",
        r"(?:beacht\w*|befolg\w*)(?: \w+){0,4} (?:vorherig|bisherig|vorig|obig|fruher)\w+ (?:anweisung|instruktion|regeln|"
        r"befehle|"
        r"vorgaben)\w* nicht",
    ),
    (
        "negeer vergeet",  # Dutch
        "vorige eerdere voorgaande bovenstaande",
        r"(?:negeer|vergeet)(?: \w+){0,4} (?:vorige|eerdere|voorgaande|bovenstaande) (?:instructies?|opdrachten|regels)",
    ),
    (
        "zignoruj ignoruj zapomnij pomin",  # Polish
        "",
        r"(?:zignoruj|ignoruj|zapomnij|pomin)(?: \w+){0,3} (?:poprzedni|wczesniejsz|powyzsz)\w+ (?:instrukcj|polece|zasad|"
        r"wytyczn)",
    ),
    (
        "onceki",  # Turkish
        "",
        r"onceki (?:tum |butun )?(?:talimat|komut|kural|yonerge)\w* (?:yok say|unut|gormezden gel|dikkate alma)",
    ),
    (
        "bo_qua",  # Vietnamese
        "truoc tren",
        r"bo qua (?:tat ca )?(?:moi )?(?:cac )?(?:huong dan|chi dan|chi thi|lenh|quy tac) (?:truoc|o tren)",
    ),
    (
        "abaikan lupakan",  # Indonesian
        "sebelumnya di_atas",
        r"(?:abaikan|lupakan)(?: \w+){0,3} (?:instruksi|perintah|aturan|arahan) (?:sebelumnya|di atas)",
    ),
    ("du_bist", "", r"du bist (?:jetzt|nun|ab jetzt) (?:ein|mein|der|die)\w*"),
    (
        "ab_jetzt ab_sofort von_nun_an",
        "",
        r"(?:ab jetzt|ab sofort|von nun an) (?:wirst|bist|antwort\w+|befolg\w+|ignorier\w+|genehmig\w+) (?:du|sie|jede\w*|"
        r"alle\w*|nur)\b",
    ),
    ("tu_es vous_etes", "maintenant desormais", r"(?:tu es|vous etes) (?:maintenant|desormais) (?:une?|mon|le|la)\b"),
    (
        "a_partir_de_maintenant dorenavant desormais",
        "",
        r"(?:a partir de maintenant|dorenavant|desormais) (?:tu|vous|reponds|repondez|approuve|obeis|ignore)\b",
    ),
    ("ahora_eres", "", r"ahora eres (?:un|una|mi|el|la)\b"),
    (
        "a_partir_de_ahora de_ahora_en",
        "",
        r"(?:a partir de ahora|de ahora en adelante) (?:tu|vas|debes|responde\w*|ignora\w*|aprueba\w*|obedece\w*|eres)\b",
    ),
    (
        "voce_agora_e agora_voce_e a_partir_de_agora",
        "",
        r"(?:voce agora e|agora voce e|a partir de agora (?:voce|responda|aprove|ignore|obedeca))\b",
    ),
    ("ora_sei", "", r"ora sei (?:un|il|mio)\b"),
    (
        "aprueba aprueben apruebe aprova aprove aprovem approuve approuvez approuver approva approvate genehmige "
        "genehmigen genehmigt",
        "todo todos toda todas tous toutes tutti tutte alle",
        r"(?:aprueb[ae]n?|aprov[ae]m?|approuve[zr]?|approva(?:te)?|genehmig\w*)(?: sie)? (?:todos?|todas?|tous|toutes|"
        r"tutt[ei]|alle)"
        r"(?: los| las| les| os| as| le| i)? (?:cambios|solicitudes|changements|demandes|modifications|anderungen|anfragen|"
        r"alteracoes|"
        r"pedidos|modifiche|richieste|pull requests?|merge requests?)",
    ),
)

SCRIPTS = (
    # other scripts, in the text's plain form (marks taken off where they are marks)
    r"(?:忽略|无视|無視|忽視|忘记|忘記|忘掉|不要理会|放弃)[^。！？\n]{0,10}(?:之前|以前|先前|此前|前面|上面|以上|上述)[^。！？\n]{0,8}"
    r"(?:指令|指示|说明|說明|规则|規則|提示|命令|要求|约束|对话)",
    r"(?:从现在起|从现在开始|從現在起|從現在開始)[，,]? ?你(?:是|将|將|必须|必須|要|不)",
    r"(?:批准|同意|通过)(?:所有|全部|一切)的?(?:更改|变更|请求|合并|提交|修改)",
    r"(?:跳过|绕过|跳過|繞過)(?:所有|全部|一切)的?(?:安全|代码|程式碼)?(?:检查|审查|审核|檢查|審查|测试|測試)",
    r"(?:以前|これまで|前|上記|今まで|直前|すべて|全て)の?[^。！？\n]{0,8}(?:指示|命令|ルール|指令|プロンプト|規則)[^。！？\n]{0,6}[をは]"
    r"[^。！？\n]{0,6}(?:無視し|無視せ|忘れて|忘れろ|従わない)",
    r"(?:이전|앞선|앞의|위의|기존|지금까지)의?[^.!?\n]{0,8}(?:지시|명령|규칙|지침|프롬프트)[^.!?\n]{0,8}(?:무시하|무시해|잊어|잊으|따르지)",
    r"(?:игнорируи|проигнорируи|забудь|не следуи|не выполняи)(?:те)?(?: \w+){0,3} (?:предыдущ|прежн|прошл|предшествующ)\w+ "
    r"(?:инструкц|указан|правил|команд|распоряжен)",
    r"(?:ігноруи|забудь)(?:те)?(?: \w+){0,3} попередні\w* (?:інструкц|вказівк|правил)",
    r"\b(?:теперь ты|ты теперь|отныне ты|с этого момента ты) \w+",
    r"(?:تجاهل|انس|اهمل)[^.!؟\n]{0,12}(?:التعليمات|الاوامر|القواعد|الارشادات)[^.!؟\n]{0,6}(?:السابقة|اعلاه)",
    r"(?:התעלם|שכח)[^.!?\n]{0,12}(?:ההוראות|הכללים|הפקודות)[^.!?\n]{0,6}(?:הקודמות|הקודמים|לעיל)",
    r"(?:αγνοησε|αγνοηστε|ξεχασε|ξεχαστε)(?: \w+){0,3} (?:προηγουμεν|παραπανω)\w* (?:οδηγι|εντολ|κανον)",
    r"(?:पिछले|पिछली|पूर्व)[^।\n]{0,8}(?:निर्देश|आदेश|नियम)[^।\n]{0,8}(?:अनदेखा|अनदेखी|भूल)",
)
