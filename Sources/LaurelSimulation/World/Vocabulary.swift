// SPDX-License-Identifier: Apache-2.0

/// The words that learners meet. Every language has the same 120 concepts. A learner who has met all words meets the
/// same concepts again as numbered senses ("casa (2)", entry `es-house-2`).
enum Vocabulary {
    static let conceptCount = 120
    /// The number of words per language: 9 senses of each concept.
    static let wordLimit = conceptCount * 9

    struct Concept {
        var english: String
        var partOfSpeech: String
        var category: String
        /// The words of the concept, in the order of `Language.tags`.
        var words: [String]
    }

    static func concepts() -> [Concept] {
        table.split(separator: "\n").map { line in
            let columns = line.split(separator: " ").map(String.init)
            return Concept(
                english: columns[0],
                partOfSpeech: columns[1],
                category: columns[2],
                words: Array(columns[3...])
            )
        }
    }

    /// The columns are: english partOfSpeech category es fr de ja it pt
    private static let table = """
        house noun home casa maison Haus 家 casa casa
        door noun home puerta porte Tür ドア porta porta
        window noun home ventana fenêtre Fenster 窓 finestra janela
        table noun home mesa table Tisch 机 tavolo mesa
        chair noun home silla chaise Stuhl 椅子 sedia cadeira
        bed noun home cama lit Bett ベッド letto cama
        kitchen noun home cocina cuisine Küche 台所 cucina cozinha
        key noun home llave clé Schlüssel 鍵 chiave chave
        lamp noun home lámpara lampe Lampe ランプ lampada lâmpada
        room noun home habitación pièce Zimmer 部屋 stanza quarto
        water noun food agua eau Wasser 水 acqua água
        bread noun food pan pain Brot パン pane pão
        coffee noun food café café Kaffee コーヒー caffè café
        tea noun food té thé Tee お茶 tè chá
        milk noun food leche lait Milch 牛乳 latte leite
        cheese noun food queso fromage Käse チーズ formaggio queijo
        apple noun food manzana pomme Apfel りんご mela maçã
        egg noun food huevo œuf Ei 卵 uovo ovo
        fish noun food pescado poisson Fisch 魚 pesce peixe
        rice noun food arroz riz Reis ご飯 riso arroz
        salt noun food sal sel Salz 塩 sale sal
        sugar noun food azúcar sucre Zucker 砂糖 zucchero açúcar
        bill noun food cuenta addition Rechnung お会計 conto conta
        breakfast noun food desayuno petit-déjeuner Frühstück 朝食 colazione café-da-manhã
        dinner noun food cena dîner Abendessen 夕食 cena jantar
        train noun travel tren train Zug 電車 treno trem
        ticket noun travel billete billet Fahrkarte 切符 biglietto bilhete
        airport noun travel aeropuerto aéroport Flughafen 空港 aeroporto aeroporto
        suitcase noun travel maleta valise Koffer スーツケース valigia mala
        street noun travel calle rue Straße 通り strada rua
        bridge noun travel puente pont Brücke 橋 ponte ponte
        city noun travel ciudad ville Stadt 町 città cidade
        map noun travel mapa plan Karte 地図 mappa mapa
        hotel noun travel hotel hôtel Hotel ホテル albergo hotel
        passport noun travel pasaporte passeport Reisepass パスポート passaporto passaporte
        beach noun travel playa plage Strand 海岸 spiaggia praia
        car noun travel coche voiture Auto 車 macchina carro
        bicycle noun travel bicicleta vélo Fahrrad 自転車 bicicletta bicicleta
        station noun travel estación gare Bahnhof 駅 stazione estação
        luggage noun travel equipaje bagages Gepäck 荷物 bagaglio bagagem
        friend noun people amigo ami Freund 友達 amico amigo
        mother noun people madre mère Mutter 母 madre mãe
        father noun people padre père Vater 父 padre pai
        sister noun people hermana sœur Schwester 妹 sorella irmã
        brother noun people hermano frère Bruder 弟 fratello irmão
        child noun people niño enfant Kind 子供 bambino criança
        neighbour noun people vecino voisin Nachbar 隣人 vicino vizinho
        teacher noun people profesor professeur Lehrer 先生 insegnante professor
        doctor noun people médico médecin Arzt 医者 medico médico
        family noun people familia famille Familie 家族 famiglia família
        work noun work trabajo travail Arbeit 仕事 lavoro trabalho
        office noun work oficina bureau Büro 事務所 ufficio escritório
        meeting noun work reunión réunion Besprechung 会議 riunione reunião
        letter noun work carta lettre Brief 手紙 lettera carta
        money noun work dinero argent Geld お金 denaro dinheiro
        price noun work precio prix Preis 値段 prezzo preço
        shop noun work tienda magasin Laden 店 negozio loja
        computer noun work ordenador ordinateur Rechner パソコン computer computador
        newspaper noun work periódico journal Zeitung 新聞 giornale jornal
        question noun work pregunta question Frage 質問 domanda pergunta
        answer noun work respuesta réponse Antwort 答え risposta resposta
        book noun study libro livre Buch 本 libro livro
        pen noun study bolígrafo stylo Stift ペン penna caneta
        school noun study escuela école Schule 学校 scuola escola
        language noun study idioma langue Sprache 言語 lingua idioma
        word noun study palabra mot Wort 言葉 parola palavra
        story noun study historia histoire Geschichte 物語 storia história
        music noun leisure música musique Musik 音楽 musica música
        game noun leisure juego jeu Spiel ゲーム gioco jogo
        picture noun leisure cuadro image Bild 絵 quadro quadro
        sun noun nature sol soleil Sonne 太陽 sole sol
        moon noun nature luna lune Mond 月 luna lua
        rain noun nature lluvia pluie Regen 雨 pioggia chuva
        snow noun nature nieve neige Schnee 雪 neve neve
        wind noun nature viento vent Wind 風 vento vento
        sea noun nature mar mer Meer 海 mare mar
        mountain noun nature montaña montagne Berg 山 montagna montanha
        tree noun nature árbol arbre Baum 木 albero árvore
        flower noun nature flor fleur Blume 花 fiore flor
        dog noun nature perro chien Hund 犬 cane cão
        cat noun nature gato chat Katze 猫 gatto gato
        bird noun nature pájaro oiseau Vogel 鳥 uccello pássaro
        hand noun body mano main Hand 手 mano mão
        head noun body cabeza tête Kopf 頭 testa cabeça
        eye noun body ojo œil Auge 目 occhio olho
        foot noun body pie pied Fuß 足 piede pé
        heart noun body corazón cœur Herz 心 cuore coração
        day noun time día jour Tag 日 giorno dia
        night noun time noche nuit Nacht 夜 notte noite
        week noun time semana semaine Woche 週 settimana semana
        year noun time año an Jahr 年 anno ano
        today adverb time hoy aujourd’hui heute 今日 oggi hoje
        tomorrow adverb time mañana demain morgen 明日 domani amanhã
        yesterday adverb time ayer hier gestern 昨日 ieri ontem
        always adverb time siempre toujours immer いつも sempre sempre
        never adverb time nunca jamais nie 決して mai nunca
        eat verb food comer manger essen 食べる mangiare comer
        drink verb food beber boire trinken 飲む bere beber
        go verb travel ir aller gehen 行く andare ir
        come verb travel venir venir kommen 来る venire vir
        speak verb study hablar parler sprechen 話す parlare falar
        read verb study leer lire lesen 読む leggere ler
        write verb study escribir écrire schreiben 書く scrivere escrever
        listen verb study escuchar écouter hören 聞く ascoltare escutar
        buy verb work comprar acheter kaufen 買う comprare comprar
        pay verb work pagar payer bezahlen 払う pagare pagar
        sleep verb home dormir dormir schlafen 寝る dormire dormir
        help verb people ayudar aider helfen 手伝う aiutare ajudar
        know verb people conocer connaître kennen 知る conoscere conhecer
        open verb home abrir ouvrir öffnen 開ける aprire abrir
        big adjective daily grande grand groß 大きい grande grande
        small adjective daily pequeño petit klein 小さい piccolo pequeno
        new adjective daily nuevo nouveau neu 新しい nuovo novo
        old adjective daily viejo vieux alt 古い vecchio velho
        good adjective daily bueno bon gut 良い buono bom
        beautiful adjective daily hermoso beau schön 美しい bello bonito
        cheap adjective work barato bon-marché billig 安い economico barato
        expensive adjective work caro cher teuer 高い caro caro
        hot adjective nature caliente chaud heiß 暑い caldo quente
        cold adjective nature frío froid kalt 寒い freddo frio
        """
}
