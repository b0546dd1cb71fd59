// Made by `python -m tools.typings` from the dataclasses of the rules and the wire.

export interface Board {
  id: string;
  name: string;
  viewbox: [number, number, number, number];
  colors: string[];
  cards_per_color: number;
  ferry_cards: number;
  cars_per_player: number;
  route_points: Record<number, number>;
  token_points: number[];
  token_stacks: TokenStack[];
  locations: Location[];
  routes: Route[];
  tickets: DestinationTicket[];
}

export interface Location {
  id: string;
  name: string;
  x: number;
  y: number;
  label: Label;
}

export interface Label {
  dx: number;
  dy: number;
  anchor: "start" | "middle" | "end";
  lines: string[];
}

export interface Route {
  id: string;
  between: [string, string];
  length: number;
  color: string | null;
  ferries: number;
  bend: number;
}

export interface DestinationTicket {
  id: string;
  between: [string, string];
  points: number;
}

export interface TokenStack {
  symbol: string;
  location: string | null;
}

export interface PublicView {
  version: number;
  phase: "first_tickets" | "tokens" | "turn" | "second_card" | "keep_tickets" | "over";
  to_act: number[];
  first_player: number;
  market: (string | null)[];
  deck: number;
  discard: Record<string, number>;
  ticket_deck: number;
  stacks: Record<string, StackView>;
  unplaced: string[];
  owners: Record<string, number>;
  closed: string[];
  players: PublicHoldings[];
  last_turns: number | null;
  scores: Score[] | null;
}

export interface OwnView {
  seat: number | null;
  hand: Record<string, number>;
  tickets: TicketView[];
  offer: string[];
  unavailable: string[];
  legal: Legal;
}

export interface PublicHoldings {
  seat: number;
  cars: number;
  points: number;
  cards: number;
  tickets: number;
  tokens: string[];
}

export interface StackView {
  symbol: string;
  left: number;
}

export interface TicketView {
  id: string;
  done: boolean;
  reachable: boolean;
}

export interface Legal {
  draw: LegalDraw;
  draw_tickets: boolean;
  keep: LegalKeep | null;
  place: Placement | null;
  claims: Record<string, Claim>;
  pass: boolean;
}

export interface LegalDraw {
  deck: boolean;
  slots: number[];
}

export interface LegalKeep {
  from: string[];
  least: number;
}

export interface Placement {
  symbols: string[];
  locations: string[];
}

export interface Claim {
  payments: Record<string, number>[];
  tokens: string[];
}

export interface Score {
  seat: number;
  routes: number;
  tickets: TicketScore[];
  tokens: number;
  total: number;
  rank: number;
}

export interface TicketScore {
  id: string;
  points: number;
  done: boolean;
}

export interface KeepTickets {
  tickets: string[];
  type: "keep_tickets";
}

export interface PlaceToken {
  symbol: string;
  location: string;
  type: "place_token";
}

export interface DrawCard {
  slot: number | null;
  type: "draw_card";
}

export interface DrawTickets {
  type: "draw_tickets";
}

export interface ClaimRoute {
  route: string;
  payment: Record<string, number>;
  token: string | null;
  type: "claim_route";
}

export interface Pass {
  type: "pass";
}

export interface FirstTicketsKept {
  seat: number;
  kept: string[] | null;
  type: "first_tickets_kept";
}

export interface TokenPlaced {
  seat: number;
  symbol: string;
  location: string;
  type: "token_placed";
}

export interface MarketCardTaken {
  seat: number;
  slot: number;
  card: string;
  type: "market_card_taken";
}

export interface DeckCardDrawn {
  seat: number;
  card: string | null;
  type: "deck_card_drawn";
}

export interface MarketFilled {
  slot: number;
  card: string;
  type: "market_filled";
}

export interface MarketFlushed {
  cards: string[];
  type: "market_flushed";
}

export interface FlushStopped {
  reason: "few_cards" | "limit";
  type: "flush_stopped";
}

export interface DeckReshuffled {
  cards: number;
  type: "deck_reshuffled";
}

export interface RouteClaimed {
  seat: number;
  route: string;
  payment: Record<string, number>;
  points: number;
  type: "route_claimed";
}

export interface TokenTaken {
  seat: number;
  symbol: string;
  location: string | null;
  type: "token_taken";
}

export interface TicketsDrawn {
  seat: number;
  number: number;
  tickets: string[] | null;
  type: "tickets_drawn";
}

export interface TicketsKept {
  seat: number;
  number: number;
  returned: number;
  kept: string[] | null;
  type: "tickets_kept";
}

export interface Passed {
  seat: number;
  type: "passed";
}

export interface LastTurnsBegan {
  seat: number;
  turns: number;
  type: "last_turns_began";
}

export interface GameEnded {
  reason: "last_turns" | "all_passed";
  type: "game_ended";
}

export interface RoomView {
  code: string;
  status: "lobby" | "playing" | "over";
  host: number | null;
  board: string;
  options: Record<string, unknown>;
  commitment: string;
  seats: SeatView[];
  spectators: number;
  watchers: WatcherView[];
  next: string | null;
}

export interface SeatView {
  seat: number;
  name: string;
  color: string;
  kind: "human" | "bot" | null;
  connected: boolean;
  guardian: number | null;
  level: string | null;
}

export interface WatcherView {
  player: string;
  name: string;
  asked: boolean;
}

export interface Ack {
  id: string;
  version: number;
  type: "ack";
}

export interface Refused {
  id: string | null;
  code: string;
  detail: string;
  version: number;
  reason: string | null;
  facts: Record<string, number>;
  type: "refused";
}

export interface Said {
  number: number;
  at: string;
  talk: "players" | "spectators";
  seat: number | null;
  player: string;
  name: string;
  phrase: string | null;
  text: string | null;
  type: "said";
}

export interface Talked {
  said: Said[];
  type: "talk";
}

export interface Spoken {
  id: string;
  talk: "players" | "spectators";
  number: number;
  type: "spoken";
}

export type View = PublicView & OwnView & { deadline: string | null };
export type Room = RoomView;
export type Action = KeepTickets | PlaceToken | DrawCard | DrawTickets | ClaimRoute | Pass;
export type GameEvent = { version: number } & (
  | FirstTicketsKept
  | TokenPlaced
  | MarketCardTaken
  | DeckCardDrawn
  | MarketFilled
  | MarketFlushed
  | FlushStopped
  | DeckReshuffled
  | RouteClaimed
  | TokenTaken
  | TicketsDrawn
  | TicketsKept
  | Passed
  | LastTurnsBegan
  | GameEnded
);
export interface RoomMessage {
  type: "room";
  room: Room;
  seat: number | null;
  view: View | null;
  events: GameEvent[];
}
export interface Pong {
  type: "pong";
}
export type ServerMessage = RoomMessage | Ack | Refused | Said | Talked | Spoken | Pong;
