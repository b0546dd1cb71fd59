// English: what is not needed to play a move. A module that says one of these imports `later.js`.

/** @type {import("../text.js").Catalog} */
export const words = {
  "polling.cause":
    "This network lets no live connection (WebSocket) through. The game goes on without one, a little slower.",

  // what was wrong
  "refused.bad_request": "The server didn't understand this. Load the page again and try once more.",
  "refused.unknown_room": "There is no table with this code.",
  "refused.unknown_link": "This link has been used already, or its two minutes are over.",
  "refused.unknown_device": "You are not signed in on this device, or no longer.",
  "refused.not_seated": "You have no seat at this table.",
  "refused.not_host": "Only the host of this table can do that.",
  "refused.barred": "The host has barred you from this table.",
  "refused.room_full": "All seats of this table are taken.",
  "refused.already_started": "This game has started already.",
  "refused.not_started": "The game has not started yet.",
  "refused.not_your_turn": "It is not your turn.",
  "refused.illegal_action": "The rules don't allow this now.",
  "refused.stale_version": "The table had moved on. Look again: nothing you picked is lost.",
  "refused.rate_limited": "That was too fast. Wait a moment and try again.",
  "refused.too_large": "That was too long.",
  "refused.unsupported_media_type": "The server could not read what this page sent.",
  "refused.unavailable": "That didn't work just now. Try again in a moment.",

  // why something was refused
  "reason.game_over": "The game is over.",
  "reason.tickets_chosen": "You have chosen your tickets. Wait for the others.",
  "reason.choose_tickets": "First choose which destination tickets to keep.",
  "reason.place_tokens": "First the last stacks of tourist tokens have to be placed.",
  "reason.draw_second": "You have drawn one card. Now draw the second.",
  "reason.no_offer": "You have no destination tickets to choose from.",
  "reason.keep_one": "You have to keep at least one destination ticket.",
  "reason.keep_offered": "Keep each ticket once, and only tickets you were offered.",
  "reason.no_stack": "There is no stack of tourist tokens to place now.",
  "reason.other_stack": "This stack is not one of those to be placed.",
  "reason.location_taken": "This location has a stack already.",
  "reason.no_tickets_left": "No destination tickets are left.",
  "reason.can_act": "You can pass only when you can do nothing else.",
  "reason.deck_empty": "The deck is empty.",
  "reason.place_empty": "There is no card in this place of the market.",
  "reason.ferry_second": "A ferry card of the market can't be the second card.",
  "reason.no_such_route": "There is no such route on this board.",
  "reason.route_taken": "This route is taken.",
  "reason.route_closed": "This route is closed: with two players only one half of a double route is used.",
  "reason.twin_owned": "You own the other half of this double route.",
  "reason.cars_short": {
    one: "You are {n} cable car short for this route.",
    other: "You are {n} cable cars short for this route.",
  },
  "reason.wrong_payment": "These cards don't pay for the route.",
  "reason.cards_short": "You don't hold the cards for this route.",
  "reason.token_choice": "Choose which tourist token to take.",
  "reason.token_unavailable": "This tourist token can't be taken with this route.",
  "reason.damaged_table":
    "The data of this table is damaged. Only those who run this site can repair it: please tell them.",
  "reason.damaged_site": "The data of this site is damaged. Only those who run it can repair it: please tell them.",
  "reason.ended_by_site": "The game was ended by those who run this site.",
  "reason.say_name": "Tell us your name first.",
  "reason.say_seated": "At this table only those with a seat write.",
  "reason.bar_self": "You can't bar yourself.",
  "reason.bar_playing": "Nobody can be barred from a game they play.",
  "reason.bar_nobody": "Nobody sits there whom you could bar.",
  "reason.bar_full": "Too many people are barred from this table. Let one in again first.",
  "reason.say_hidden":
    "It holds an invisible character, or one that changes the direction of writing. Delete it, or type the words yourself.",
  "reason.say_empty": "There is nothing in it that can be seen.",
  "reason.say_length": "It may have 300 characters at most.",
  "reason.say_marks": "One character has too many marks on it.",
  "reason.not_watching": "This person is no longer here.",
  "reason.rematch_early": "Play this game to its end first.",
  "reason.no_spectators": "This table has no seat for you, and takes no one who only watches.",
  "reason.seats_empty": "Two or more seats have to be taken before the game can start.",
  "reason.name_hidden":
    "This name holds an invisible character, or one that changes the direction of writing. Type it yourself.",
  "reason.name_length": "A name has 1 to 24 characters.",
  "reason.name_invisible": "A name needs at least one character that can be seen.",
  "reason.name_marks": "A name can't begin with an accent alone or have too many marks on one character.",
  "reason.name_reserved": "Names like “server”, “admin” or “Fogline” are reserved, also as a part of a name.",
  "reason.no_cookie":
    "This site needs its one cookie to know you again, and your browser doesn't store it. Allow cookies for this site, then try again.",
  "reason.signed_out": "This browser is not signed in, or no longer. Load the page again.",
  "reason.foreign_origin":
    "The server takes nothing from pages at this address. Open the site by the link you were sent, or tell those who run it.",
  "reason.other_rules": "This game was begun with other rules, which the server doesn't know any more.",
  "reason.seat_stays": "The game has started, and your seat stays yours: close the page and come back when you like.",

  // scores
  "scores.title": "Final score",
  "scores.routes": "Routes",
  "scores.tokens": { one: "{n} tourist token", other: "{n} tourist tokens" },
  "scores.total": "Total",
  "scores.rank": "{n}.",
  "scores.winner": "winner",
  "scores.again": "Play again",

  // whether the game was shuffled as promised
  "shuffle.right": "The shuffle matches what was promised before the game.",
  "shuffle.wrong.commitment":
    "The shuffle does not match what was promised before the game: the server used another secret than the one it had committed to.",
  "shuffle.wrong.nonce":
    "The shuffle does not match what was promised before the game: your browser's random part was left out.",
  "shuffle.wrong.seed":
    "The shuffle does not match what was promised before the game: it was not made from everybody's random parts.",
  "shuffle.wrong.deal":
    "The shuffle does not match what was promised before the game: it would have dealt you other cards or tickets.",
  "shuffle.plain": "The shuffle can't be checked here: this page came without https, and browsers can't check it then.",
  "shuffle.elsewhere": "The shuffle can't be checked here: this browser did not add your random part to it.",
  "shuffle.unknown": "The shuffle could not be checked. Reload the page to try again.",

  // bars
  "bars.title": "Who may come to this table",
  "bars.how":
    "Whoever you bar can't join, watch or write here, nor at the next game of this table. A new name lets anybody come again.",
  "bars.here": "Here now",
  "bars.none_here": "Nobody is here whom you could bar.",
  "bars.bar": "Bar",
  "bars.bar.name": "Bar {name}",
  "bars.barred": "Barred",
  "bars.none": "Nobody is barred.",
  "bars.lift": "Let in again",
  "bars.lift.name": "Let {name} in again",

  // talk
  "talk.write": "Say something",
  "talk.send": "Send",
  "talk.phrases": "Phrases",
  "talk.name": "Your name, to join the talk",
  "talk.empty": "Nobody has said anything yet.",
  "talk.only.players": "Here the players talk; you can read along.",
  "talk.only.spectators": "Here the spectators talk; you can read along.",
  "talk.says": "{name}: {text}",
  "talk.says.watching": "{name} (watching): {text}",
  "talk.watching": "(watching)",
  "talk.unread": { one: "{n} new line", other: "{n} new lines" },
  "talk.mute": "Mute {name}",
  "talk.unmute": "Hear {name} again",
  "phrase.hello": "Hello!",
  "phrase.luck": "Good luck, everybody!",
  "phrase.nice": "Nice move!",
  "phrase.thanks": "Thank you!",
  "phrase.sorry": "Sorry!",
  "phrase.ouch": "Ouch!",
  "phrase.close": "That was close!",
  "phrase.moment": "One moment, please.",
  "phrase.back": "I am back.",
  "phrase.turn": "It is your turn.",
  "phrase.played": "Well played!",
  "phrase.again": "Another game?",

  "rematch.join": "Join the next game",
  "rematch.watch": "Go to the next table",
  "rematch.open": "Another game is being set up.",

  // help
  "help.title": "Help and keys",
  "help.close": "Close",
  "help.ask": "Ask the table",
  "help.ask.how": "Touch anything on the table: it says what it does and which rule stands behind it.",
  "help.asking": "Touch anything to learn what it does.",
  "help.done": "Done",
  "help.rule": "Read the rule",
  "help.rules": "All the rules",
  "help.keys": "Keys",
  "key.tab": "to the next thing",
  "key.arrows": "on the map, from route to route",
  "key.page": "on the map, to the next route you can claim",
  "key.zoom": "on the map: closer, farther, the whole",
  "key.pan": "on the map, when it is close: move it",
  "key.enter": "pick, confirm",
  "key.escape": "put back, close",
  "key.help": "this help",
  "about.market": "An open card to take. Two cards make a turn; a ferry card from here is the only card of its turn.",
  "about.deck":
    "The deck: take its top card unseen. Two cards make a turn, and a ferry card counts like any other here.",
  "about.draw_tickets": "Draw two destination tickets and keep one or both. That is your whole turn.",
  "about.hand": "Your cards of one color. A tap shows which routes they can claim; you can also drag them onto one.",
  "about.route":
    "A route: pay one card for each space, all in its color. Gray takes any one color, an anchor needs a ferry card.",
  "about.location":
    "A location. If a stack of tourist tokens lies here, a route that ends here brings you one you don't have yet.",
  "about.place": "Pick a stack of tourist tokens, then a location that has none.",
  "about.keep": "Keep at least one of these tickets. The map shows both.",
  "about.ticket":
    "Your ticket, seen by nobody else. Join its two locations by your own routes, or it costs you its points. A tap shows a way.",
  "about.player":
    "A player: points, cable cars left, how many cards and tickets, and tourist tokens. Whoever is to act is marked.",
  "about.last": "How many turns are left. The last ones began when a player was down to two cable cars or fewer.",
  "about.pass": "You can pass only when you can do nothing else.",
  "about.banner": "Here it says whose turn it is and what may be done now.",
  "about.points": "What a route brings, by its number of spaces.",
  "about.zoom": "Makes the map larger or smaller. Two fingers or the wheel of a mouse do so, too.",
  "about.chooser":
    "All ways to pay for this route, those with the fewest ferry cards first. Nothing is sent before you confirm it.",
  "about.log": "What has happened, the latest first.",
  "about.result": "How the points add up: routes, tickets, and different tourist tokens.",
  "about.invite": "Pass this link round. Whoever opens it can take a free seat.",
  "about.seats": "The seats. The host fills free ones with bots, and starts the game.",

  // the menu
  "notices.on": "Notify me of my turn",
  "notices.off": "Stop notifying me",
  "awake.on": "Leave the screen on while I play",
  "awake.off": "Let the screen go dark",
  "notices.refused": "Your browser doesn't allow notifications here. You can change that in its settings.",

  // the result as a picture
  "postcard.share": "Share the result",
  "postcard.saved": "Saved as {file}.",
  "postcard.failed": "The picture couldn't be made.",
};
