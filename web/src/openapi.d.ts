// Made by `npm run types` from the server's OpenAPI; not edited by hand.
export interface paths {
    "/api/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Games
         * @description The games, their house rules and presets.
         */
        get: operations["games_api_games_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover
         * @description Become the guest for whom a recovery link was made.
         */
        post: operations["recover_api_me_recover_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recovery
         * @description Is there a recovery link of this guest, and since when?
         */
        get: operations["recovery_api_me_recovery_get"];
        put?: never;
        /**
         * Make Recovery
         * @description Make a recovery link; the one before no longer works. It is shown this once.
         */
        post: operations["make_recovery_api_me_recovery_post"];
        /**
         * Withdraw Recovery
         * @description Withdraw the recovery link. Browsers that have used it stay who they are.
         */
        delete: operations["withdraw_recovery_api_me_recovery_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promises": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promise
         * @description Commit to the first deal of a table that is about to be made, before its seats add to it.
         */
        post: operations["promise_api_promises_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Paste
         * @description A pasted record is kept to be looked at; a SPOJ file or protocol lines are answered.
         */
        post: operations["paste_api_records_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records/{record}/deals/{deal}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deal
         * @description A finished deal, step by step.
         */
        get: operations["deal_api_records__record__deals__deal__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records/{record}/deals/{deal}/belief": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Belief
         * @description What a seat could believe after so many acts.
         */
        get: operations["belief_api_records__record__deals__deal__belief_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records/{record}/deals/{deal}/drawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Drawn
         * @description What a finished deal was drawn from, so that anybody can check it.
         */
        get: operations["drawn_api_records__record__deals__deal__drawn_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records/{record}/deals/{deal}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Record
         * @description The record of a deal, as text.
         */
        get: operations["record_api_records__record__deals__deal__record_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/records/{record}/deals/{deal}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Review
         * @description What each act of a deal cost, a line of JSON each.
         */
        get: operations["review_api_records__record__deals__deal__review_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tables
         * @description The tables where this guest sits, the one touched last first.
         */
        get: operations["tables_api_tables_get"];
        put?: never;
        /**
         * Make
         * @description Make a table and sit down. Who was never here becomes a guest, by a cookie.
         */
        post: operations["make_api_tables_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Table Card
         * @description Who sits where.
         */
        get: operations["table_card_api_tables__table__get"];
        put?: never;
        post?: never;
        /**
         * Delete
         * @description Have a table no longer among one's own, standing up where one sits. It is deleted with the last who has it.
         */
        delete: operations["delete_api_tables__table__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/deals/{deal}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deal
         * @description A finished deal, step by step.
         */
        get: operations["deal_api_tables__table__deals__deal__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/deals/{deal}/belief": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Belief
         * @description What a seat could believe after so many acts.
         */
        get: operations["belief_api_tables__table__deals__deal__belief_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/deals/{deal}/drawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Drawn
         * @description What a finished deal was drawn from, so that anybody can check it.
         */
        get: operations["drawn_api_tables__table__deals__deal__drawn_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/deals/{deal}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Record
         * @description The record of a deal, as text.
         */
        get: operations["record_api_tables__table__deals__deal__record_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/deals/{deal}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Review
         * @description What each act of a deal cost, a line of JSON each.
         */
        get: operations["review_api_tables__table__deals__deal__review_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitation
         * @description The address that others open to join.
         */
        get: operations["invitation_api_tables__table__invitation_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/invitation.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitation Code
         * @description The same address as a QR code.
         */
        get: operations["invitation_code_api_tables__table__invitation_svg_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whole Record
         * @description The record of all finished deals; where a game was won and another begun, one after the other.
         */
        get: operations["whole_record_api_tables__table__record_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/seats/{seat}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sit
         * @description Sit down where the seat is open or a bot's; while a deal is played, only where one has sat in it.
         */
        post: operations["sit_api_tables__table__seats__seat__post"];
        /**
         * Stand
         * @description Stand up; a bot goes on.
         */
        delete: operations["stand_api_tables__table__seats__seat__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/seats/{seat}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask For Seat
         * @description Ask the people of a table for a seat in the middle of a deal; when all agree, it is this guest's.
         */
        post: operations["ask_for_seat_api_tables__table__seats__seat__ask_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/seats/{seat}/belief": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Belief
         * @description Where each unseen card may be, as far as the seat can know.
         */
        get: operations["belief_api_tables__table__seats__seat__belief_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/seats/{seat}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check
         * @description What the arbiter would say of a call or play, without doing it.
         */
        post: operations["check_api_tables__table__seats__seat__check_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/seats/{seat}/hint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hint
         * @description What to do: first the group of cards or calls, then the play with its odds.
         */
        get: operations["hint_api_tables__table__seats__seat__hint_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables/{table}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State
         * @description What a seat is shown; without a seat, what a spectator is.
         */
        get: operations["state_api_tables__table__state_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description Is the server well, its database included?
         */
        get: operations["health_health_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Measured
         * @description Counters in the text format of Prometheus, for this machine unless the server was started otherwise.
         */
        get: operations["measured_metrics_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Act
         * @description A call or play. `at` is the number of the last event the page has seen; what it was not made for is refused.
         */
        Act: {
            /** At */
            at: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "act";
            /** What */
            what: string;
        };
        /**
         * AddSalt
         * @description Add to a deal that is still to come; what comes too late for it is passed over.
         */
        AddSalt: {
            /** Deal */
            deal: number;
            /** Salt */
            salt: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "salt";
        };
        /**
         * Answer
         * @description One line of a pasted file and its answer.
         */
        Answer: {
            /** Answer */
            answer: string;
            /** Asked */
            asked: string;
        };
        /**
         * Asked
         * @description A call or play that somebody thinks about.
         */
        Asked: {
            /** What */
            what: string;
        };
        /**
         * AskForSeat
         * @description Asking to sit down in the middle of a deal, for somebody who has left.
         */
        AskForSeat: {
            /**
             * Name
             * @default Guest
             */
            name: string;
        };
        /**
         * Back
         * @description Take one's own play back from the bot.
         */
        Back: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "back";
        };
        /**
         * BeliefShown
         * @description What a seat may believe.
         */
        BeliefShown: {
            /** Cards */
            cards: components["schemas"]["Whereabouts"][];
            /** Deals */
            deals: string;
            /** Exact */
            exact: boolean;
            /** Facts */
            facts: string[];
            /**
             * Friends
             * @default []
             */
            friends: components["schemas"]["FriendSought"][];
            /** Piles */
            piles: string[];
            /** Seat */
            seat: number;
            /** Sizes */
            sizes: {
                [key: string]: number;
            };
            /**
             * Team
             * @default {}
             */
            team: {
                [key: string]: number;
            };
        };
        /**
         * Call
         * @description Something the seat may say, in its group of buttons; cards or a suit show it where it has some.
         */
        Call: {
            /**
             * Cards
             * @default []
             */
            cards: string[];
            /** Group */
            group: string;
            /**
             * Seldom
             * @default false
             */
            seldom: boolean;
            /**
             * Suit
             * @default
             */
            suit: string;
            /** Text */
            text: string;
            /** What */
            what: string;
        };
        /**
         * Check
         * @description What the arbiter would say of a call or play.
         */
        Check: {
            /** Legal */
            legal: boolean | null;
            /** Stands */
            stands: number | null;
            /** Text */
            text: string;
            /** Units */
            units: components["schemas"]["Unit"][];
            why: components["schemas"]["Refusal"] | null;
        };
        /**
         * Choice
         * @description One answer to a house rule.
         */
        Choice: {
            /** Text */
            text: string;
            /** Value */
            value: string;
        };
        /**
         * Choose
         * @description Cards of the hand that make up a call: `verb` and so many cards are the call, `bury H3 H4 ...`.
         */
        Choose: {
            /** Count */
            count: number;
            /** Text */
            text: string;
            /** Verb */
            verb: string;
        };
        /**
         * Claim
         * @description Lay down the hand and claim the rest.
         */
        Claim: {
            /** At */
            at: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "claim";
        };
        /**
         * Clock
         * @description How long somebody may take: for each act, or for all acts of a deal together; then a bot plays.
         */
        Clock: {
            /**
             * Kind
             * @default none
             * @enum {string}
             */
            kind: "none" | "act" | "deal";
            /**
             * Seconds
             * @default 120
             */
            seconds: number;
        };
        /**
         * ClockShown
         * @description The clock of a table while a deal is played: whose time runs, since when, and until when.
         */
        ClockShown: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "none" | "act" | "deal";
            /** Left */
            left?: number | null;
            /** Patience */
            patience: number;
            /** Seat */
            seat?: number | null;
            /** Seconds */
            seconds: number;
            /** Since */
            since?: number | null;
            /** Until */
            until?: number | null;
        };
        /**
         * Compose
         * @description A call that is put together: `verb` and so many parts with commas between them, each one of the cards and which
         *     of its copies is meant, `friends HA 2, SK 1`.
         */
        Compose: {
            /** Cards */
            cards: string[];
            /** Copies */
            copies: number;
            /** Count */
            count: number;
            /** Text */
            text: string;
            /** Verb */
            verb: string;
        };
        /**
         * ContractShown
         * @description What is played.
         */
        ContractShown: {
            /** Declarer */
            declarer: number | null;
            /** Text */
            text: string;
            /** Trump */
            trump: string;
            /** What */
            what: string;
        };
        /**
         * Drawn
         * @description What a finished deal was drawn from; `docs/table.md` says how the hands come of it.
         */
        Drawn: {
            /** Commitment */
            commitment: string;
            /** Hands */
            hands: string[][];
            /** Salts */
            salts: {
                [key: string]: string;
            };
            /** Secret */
            secret: string;
            /** Terms */
            terms: string;
        };
        /**
         * Estimate
         * @description What an option is worth on average, with a 95 % interval, and how likely the network would take it.
         */
        Estimate: {
            /** High */
            high: number | null;
            /** Low */
            low: number | null;
            /** Mean */
            mean: number | null;
            /** Share */
            share?: number | null;
            /** Text */
            text: string;
            /** What */
            what: string;
            /** Worlds */
            worlds: number;
        };
        /**
         * Event
         * @description Something that happened at a table, as this seat saw it.
         */
        Event: {
            /** Deal */
            deal: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "made" | "sat" | "left" | "filled" | "dealt" | "act" | "undone" | "refused" | "bot_wanted" | "played_for" | "returned" | "freed" | "asked" | "agreed" | "declined";
            /** Number */
            number: number;
            /** Seat */
            seat: number | null;
            /**
             * Text
             * @default
             */
            text: string;
            /**
             * Trick
             * @default null
             */
            trick: number | null;
            /**
             * What
             * @default
             */
            what: string;
        };
        /**
         * FairShown
         * @description What a table has committed itself to: the SHA-256 of the secret of this deal, and that of the next one's.
         */
        FairShown: {
            /** Added */
            added: number[];
            /** Commitment */
            commitment: string;
            /** Next */
            next: string;
        };
        /**
         * Fill
         * @description Let bots take the open seats.
         */
        Fill: {
            /** At */
            at: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fill";
        };
        /**
         * Free
         * @description The host frees a seat.
         */
        Free: {
            /** Seat */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "free";
        };
        /**
         * FriendSought
         * @description Who may become a friend by one of the cards that the banker named.
         */
        FriendSought: {
            /** Card */
            card: string;
            /** Holds */
            holds: {
                [key: string]: number;
            };
            /** Name */
            name: string;
            /** Nobody */
            nobody: number;
            /** Takes */
            takes: {
                [key: string]: number;
            };
        };
        FromPage: components["schemas"]["Act"] | components["schemas"]["Undo"] | components["schemas"]["Claim"] | components["schemas"]["Next"] | components["schemas"]["Fill"] | components["schemas"]["WantBot"] | components["schemas"]["Back"] | components["schemas"]["Free"] | components["schemas"]["Reply"] | components["schemas"]["AddSalt"] | components["schemas"]["Ping"];
        /**
         * GameCard
         * @description A game as the page that makes tables shows it.
         */
        GameCard: {
            /** About */
            about: string;
            /** Game */
            game: string;
            look: components["schemas"]["Look"];
            /** Picture */
            picture: string[];
            /** Players */
            players: number;
            /** Presets */
            presets: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            /** Rules */
            rules: components["schemas"]["HouseRule"][];
            /** Title */
            title: string;
        };
        /**
         * HandCard
         * @description A card in one's own hand, in the order in which hands are held.
         */
        HandCard: {
            /** Card */
            card: string;
            /**
             * Leads As
             * @default []
             */
            leads_as: string[];
            /** Noun */
            noun: string;
            /**
             * Playable
             * @default true
             */
            playable: boolean;
            /** Points */
            points: number;
            /** Step */
            step: number;
            /** Suit */
            suit: string;
            /** Trump */
            trump: boolean;
            /**
             * Why
             * @default
             */
            why: string;
        };
        /**
         * Hint
         * @description Advice in two steps: first the group of cards or calls it comes from, then the play itself.
         */
        Hint: {
            /**
             * Alone
             * @default
             */
            alone: string;
            /**
             * By
             * @default
             */
            by: string;
            /** Cards */
            cards: string[];
            /**
             * Estimates
             * @default []
             */
            estimates: components["schemas"]["Estimate"][];
            /** Group */
            group: string;
            network?: components["schemas"]["Liked"] | null;
            /**
             * Step
             * @enum {integer}
             */
            step: 1 | 2;
            /**
             * Text
             * @default
             */
            text: string;
            /**
             * Unit
             * @default
             */
            unit: string;
            /**
             * What
             * @default
             */
            what: string;
            /**
             * Why
             * @default
             */
            why: string;
        };
        /**
         * HouseRule
         * @description A house rule: its question, and either its answers or a number.
         */
        HouseRule: {
            /** Choices */
            choices: components["schemas"]["Choice"][];
            /** Default */
            default: string;
            /** Name */
            name: string;
            /** Question */
            question: string;
        };
        /**
         * Invitation
         * @description Where others join.
         */
        Invitation: {
            /** Link */
            link: string;
            /** Local */
            local: boolean;
        };
        /**
         * Judged
         * @description One act in a review, and what it cost. A line of `application/x-ndjson`.
         */
        Judged: {
            /** Best */
            best: string[];
            /** Cost */
            cost: number | null;
            /** Known Best */
            known_best: string;
            /** Known Cost */
            known_cost: number | null;
            /** Known Text */
            known_text: string;
            network: components["schemas"]["Liked"] | null;
            /** Note */
            note: string;
            /** Number */
            number: number;
            /** Seat */
            seat: number;
            /** Taken */
            taken: number | null;
            /** Text */
            text: string;
            /** Trick */
            trick: number | null;
            /** Unit */
            unit: string;
            /** Value */
            value: number | null;
            /** What */
            what: string;
        };
        /**
         * Liked
         * @description What the network would do by itself, or would have done, and the share of its likelihood that has.
         */
        Liked: {
            /** Done */
            done?: number | null;
            /** Share */
            share: number;
            /** Text */
            text: string;
            /** What */
            what: string;
        };
        /**
         * Look
         * @description What a page needs to draw a game: which cards it has, which way play goes, how a play is picked.
         */
        Look: {
            /**
             * Clockwise
             * @default true
             */
            clockwise: boolean;
            /**
             * Dealt Slowly
             * @default false
             */
            dealt_slowly: boolean;
            /**
             * Declarers Value
             * @default false
             */
            declarers_value: boolean;
            /**
             * Review
             * @default open
             * @enum {string}
             */
            review: "open" | "known";
            /**
             * Several
             * @default false
             */
            several: boolean;
            /**
             * Suits
             * @default french
             * @enum {string}
             */
            suits: "french" | "german" | "dominoes";
            /**
             * Whole Costs
             * @default false
             */
            whole_costs: boolean;
        };
        /**
         * Moved
         * @description What has happened since, and how things stand now. Sent on connecting and after every event.
         */
        Moved: {
            /** Events */
            events: components["schemas"]["Event"][];
            /** Now */
            now: number;
            state: components["schemas"]["State"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "moved";
        };
        /**
         * NamedShown
         * @description A card that was named, of which one copy is waited for.
         */
        NamedShown: {
            /** Card */
            card: string;
            /** Copies */
            copies: number;
            /** Nth */
            nth: number;
            /** Open */
            open: boolean;
            /** Played */
            played: number;
            /** Seat */
            seat: number | null;
        };
        /**
         * NewTable
         * @description A table to be made. `seats` says for each seat who will have it; exactly one is `me`. Without it simple bots have
         *     all seats but the first.
         */
        NewTable: {
            clock?: components["schemas"]["Clock"] | null;
            /** Game */
            game: string;
            /**
             * Name
             * @default Guest
             */
            name: string;
            /**
             * Pace
             * @default 700
             */
            pace: number;
            /**
             * Preset
             * @default default
             */
            preset: string;
            /** Promise */
            promise?: string | null;
            /**
             * Rules
             * @default {}
             */
            rules: {
                [key: string]: string;
            };
            /** Salt */
            salt?: string | null;
            /** Seats */
            seats?: ("me" | ("open" | "simple" | "middle" | "strong"))[] | null;
            /**
             * Substitutes
             * @default between
             * @enum {string}
             */
            substitutes: "between" | "middle";
        };
        /**
         * Next
         * @description Deal again.
         */
        Next: {
            /** At */
            at: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "next";
        };
        /**
         * Pasted
         * @description A text that somebody pastes: a record, a SPOJ file, or protocol lines.
         */
        Pasted: {
            /** Text */
            text: string;
        };
        /**
         * PeopleShown
         * @description How the people of a table stand to each other, as everybody sees it.
         */
        PeopleShown: {
            clock?: components["schemas"]["ClockShown"] | null;
            /** Host */
            host?: number | null;
            request?: components["schemas"]["Request"] | null;
            /**
             * Substitutes
             * @default between
             * @enum {string}
             */
            substitutes: "between" | "middle";
            /**
             * Vacant
             * @default []
             */
            vacant: number[];
        };
        /** Ping */
        Ping: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
        };
        /**
         * Place
         * @description One of the seats as everybody sees it.
         */
        Place: {
            /** Away Since */
            away_since?: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "person" | "bot" | "open";
            /** Level */
            level?: ("simple" | "middle" | "strong") | null;
            /** Name */
            name: string;
            /**
             * Online
             * @default false
             */
            online: boolean;
            /** Seat */
            seat: number;
            /** Stand In */
            stand_in?: ("simple" | "middle" | "strong") | null;
            /**
             * Wanted By
             * @default []
             */
            wanted_by: number[];
        };
        /**
         * PlayShown
         * @description Cards on the table.
         */
        PlayShown: {
            /** Cards */
            cards: string[];
            /** Seat */
            seat: number;
            /**
             * Tried
             * @default []
             */
            tried: string[];
        };
        /** Pong */
        Pong: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pong";
        };
        /**
         * Promise
         * @description The commitment to the secret of a first deal; empty where the server deals by a known seed.
         */
        Promise: {
            /** Commitment */
            commitment: string;
        };
        /**
         * Recognised
         * @description What a pasted text was.
         */
        Recognised: {
            /**
             * Answers
             * @default []
             */
            answers: components["schemas"]["Answer"][];
            /**
             * Deals
             * @default 0
             */
            deals: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "record" | "spoj" | "protocol";
            /**
             * Record
             * @default
             */
            record: string;
        };
        /**
         * Recover
         * @description The secret of a recovery link.
         */
        Recover: {
            /** Secret */
            secret: string;
        };
        /**
         * Recovery
         * @description Has this guest a recovery link, and since when?
         */
        Recovery: {
            /** Guest */
            guest: boolean;
            /** Made */
            made?: number | null;
        };
        /**
         * RecoveryLink
         * @description A recovery link. It is shown once: the server keeps only what it needs to know it again.
         */
        RecoveryLink: {
            /** Link */
            link: string;
        };
        /**
         * Refusal
         * @description Why something was not done. Where a rule forbids it: the rule, its sentence, the reason, and what would do.
         */
        Refusal: {
            /**
             * Code
             * @enum {string}
             */
            code: "illegal" | "notation" | "turn" | "stale" | "undo" | "limit" | "form" | "seat";
            /**
             * Instead
             * @default
             */
            instead: string;
            /**
             * Rule
             * @default
             */
            rule: string;
            /**
             * Sentence
             * @default
             */
            sentence: string;
            /** Text */
            text: string;
        };
        /** Refused */
        Refused: {
            /** Number */
            number: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refused";
            why: components["schemas"]["Refusal"];
        };
        /**
         * Replay
         * @description A whole deal, to be stepped through.
         */
        Replay: {
            /** Deal */
            deal: number;
            /** Deals */
            deals: number;
            /** Game */
            game: string;
            look: components["schemas"]["Look"];
            /** Names */
            names: string[];
            /** Record */
            record: string;
            /** Result */
            result: string;
            /** Rules */
            rules: {
                [key: string]: string;
            };
            score: components["schemas"]["Score"];
            /** Steps */
            steps: components["schemas"]["Step"][];
            /** Title */
            title: string;
        };
        /**
         * Reply
         * @description Agree to what somebody asks for, or not; who asks takes it back by saying no.
         */
        Reply: {
            /** To */
            to: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            /** Yes */
            yes: boolean;
        };
        /**
         * Request
         * @description What somebody asks the others for: to take back an act, or to sit down in the middle of a deal.
         */
        Request: {
            /** Agreed */
            agreed: number[];
            /**
             * Left
             * @default
             */
            left: string;
            /** Missing */
            missing: number[];
            /** Name */
            name: string;
            /** Number */
            number: number;
            /** Seat */
            seat: number;
            /**
             * What
             * @enum {string}
             */
            what: "undo" | "seat";
        };
        /**
         * ResultShown
         * @description How a deal ended.
         */
        ResultShown: {
            /** Attackers */
            attackers: number | null;
            /** Gained */
            gained: number[];
            /** Hands */
            hands: string[][];
            /** Kitty */
            kitty: string[];
            /**
             * Kitty Text
             * @default
             */
            kitty_text: string;
            /** Text */
            text: string;
            /** Winner */
            winner: number | null;
        };
        /**
         * Score
         * @description The score sheet.
         */
        Score: {
            /** Dealer */
            dealer: number;
            /**
             * Form
             * @enum {string}
             */
            form: "marks" | "points" | "levels" | "money";
            /** Lines */
            lines: components["schemas"]["SheetLine"][];
            /** Score */
            score: number[];
            /** Target */
            target: number | null;
        };
        /**
         * Seated
         * @description A seat that was taken: its token opens that seat and no other.
         */
        Seated: {
            /** Link */
            link: string;
            /** Seat */
            seat: number;
            /** Table */
            table: string;
            /** Token */
            token: string;
        };
        /**
         * SeatShown
         * @description A seat during the deal.
         */
        SeatShown: {
            /** Cards */
            cards: number;
            /**
             * Out
             * @default false
             */
            out: boolean;
            place: components["schemas"]["Place"];
            /** Points */
            points: number;
            /**
             * Role
             * @default
             */
            role: string;
            /**
             * Said
             * @default
             */
            said: string;
            /** Side */
            side: number | null;
            /** Tricks */
            tricks: number;
        };
        /**
         * SheetLine
         * @description A finished deal on the score sheet.
         */
        SheetLine: {
            /** Deal */
            deal: number;
            /** Gained */
            gained: number[];
            /** Score */
            score: number[];
            /** Text */
            text: string;
        };
        /**
         * Sit
         * @description Taking a seat that is open, or that a bot holds.
         */
        Sit: {
            /**
             * Name
             * @default Guest
             */
            name: string;
        };
        /**
         * State
         * @description All that a seat is shown of a table; a spectator's `me` is None and the hand empty.
         */
        State: {
            /** Asked */
            asked: boolean;
            /** Asks */
            asks?: ("show" | "take" | "bid" | "trump" | "wish" | "declare" | "call") | null;
            /** Attackers */
            attackers: number | null;
            /**
             * Bots
             * @default
             */
            bots: string;
            /** Calls */
            calls: components["schemas"]["Call"][];
            choose: components["schemas"]["Choose"] | null;
            compose?: components["schemas"]["Compose"] | null;
            contract: components["schemas"]["ContractShown"] | null;
            /** Deal */
            deal: number;
            /** Enough */
            enough?: number | null;
            fair?: components["schemas"]["FairShown"] | null;
            /** Game */
            game: string;
            /** Hand */
            hand: components["schemas"]["HandCard"][];
            /**
             * Hurried
             * @default
             */
            hurried: string;
            /** Kitty */
            kitty: number;
            /**
             * Kitty Cards
             * @default []
             */
            kitty_cards: string[];
            last_trick: components["schemas"]["TrickShown"] | null;
            look: components["schemas"]["Look"];
            /** May Call */
            may_call: boolean;
            /** May Claim */
            may_claim: boolean;
            /** May Undo */
            may_undo: boolean;
            /** Me */
            me: number | null;
            /**
             * Named
             * @default []
             */
            named: components["schemas"]["NamedShown"][];
            /** Number */
            number: number;
            /**
             * @default {
             *       "substitutes": "between",
             *       "vacant": []
             *     }
             */
            people: components["schemas"]["PeopleShown"];
            /**
             * Phase
             * @enum {string}
             */
            phase: "waiting" | "talk" | "play" | "over" | "won";
            result: components["schemas"]["ResultShown"] | null;
            /** Rules */
            rules: {
                [key: string]: string;
            };
            score: components["schemas"]["Score"];
            /** Seats */
            seats: components["schemas"]["SeatShown"][];
            /**
             * So Far
             * @default
             */
            so_far: string;
            /** Table */
            table: string;
            /** Title */
            title: string;
            trick: components["schemas"]["TrickShown"] | null;
            /** Turn */
            turn: number | null;
        };
        /**
         * Step
         * @description A deal after so many acts, all cards open.
         */
        Step: {
            contract: components["schemas"]["ContractShown"] | null;
            /** Hands */
            hands: string[][];
            /** Kitty */
            kitty: string[];
            last_trick: components["schemas"]["TrickShown"] | null;
            /** Number */
            number: number;
            /** Points */
            points: number[];
            /** Seat */
            seat: number | null;
            /** Text */
            text: string;
            trick: components["schemas"]["TrickShown"] | null;
            /** Tricks */
            tricks: number[];
            /** Turn */
            turn: number | null;
            /** What */
            what: string;
        };
        /**
         * TableCard
         * @description A table as one sees it before sitting down.
         */
        TableCard: {
            /** Deal */
            deal: number;
            /** Game */
            game: string;
            /** Mine */
            mine: number[];
            /**
             * Phase
             * @enum {string}
             */
            phase: "waiting" | "talk" | "play" | "over" | "won";
            /** Places */
            places: components["schemas"]["Place"][];
            /** Rules */
            rules: {
                [key: string]: string;
            };
            /** Table */
            table: string;
            /** Title */
            title: string;
        };
        ToPage: components["schemas"]["Moved"] | components["schemas"]["Refused"] | components["schemas"]["Pong"];
        /**
         * TrickShown
         * @description A trick: who led, what lies there, and who is winning it or has won it.
         */
        TrickShown: {
            /** Leader */
            leader: number;
            /** Number */
            number: number;
            /** Plays */
            plays: components["schemas"]["PlayShown"][];
            /**
             * Points
             * @default 0
             */
            points: number;
            /** Winner */
            winner: number | null;
        };
        /**
         * Trouble
         * @description What went wrong, for a person to read.
         */
        Trouble: {
            /** Detail */
            detail: string;
            /** @default null */
            why: components["schemas"]["Refusal"] | null;
        };
        /**
         * Undo
         * @description Take back one's last act; where other people sit, ask them for it.
         */
        Undo: {
            /** At */
            at: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "undo";
        };
        /**
         * Unit
         * @description A single, pair or run of what is chosen, and whether it can be beaten.
         */
        Unit: {
            /** Cards */
            cards: string[];
            /**
             * Kind
             * @enum {string}
             */
            kind: "single" | "pair" | "run";
            /** Safe */
            safe: boolean;
            /** Why */
            why: string;
        };
        /**
         * WantBot
         * @description Ask that a bot play for somebody who does not act; it does once all others who are there ask for it.
         */
        WantBot: {
            /** Seat */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "want_bot";
        };
        /**
         * WantedPromise
         * @description The table that somebody is about to make, as far as its first deal goes.
         */
        WantedPromise: {
            /** Game */
            game: string;
            /**
             * Preset
             * @default default
             */
            preset: string;
            /**
             * Rules
             * @default {}
             */
            rules: {
                [key: string]: string;
            };
        };
        /**
         * Whereabouts
         * @description Where an unseen card may be.
         */
        Whereabouts: {
            /** Card */
            card: string;
            /** Odds */
            odds: {
                [key: string]: number;
            };
            /** Suit */
            suit: string;
            /** Unseen */
            unseen: number;
            /**
             * Why
             * @default []
             */
            why: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    games_api_games_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCard"][];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    recover_api_me_recover_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recover"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    recovery_api_me_recovery_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    make_recovery_api_me_recovery_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryLink"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    withdraw_recovery_api_me_recovery_delete: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    promise_api_promises_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WantedPromise"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promise"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    paste_api_records_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Pasted"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recognised"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    deal_api_records__record__deals__deal__get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the id under which the text is kept */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    belief_api_records__record__deals__deal__belief_get: {
        parameters: {
            query: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
                /** @description the seat */
                seat: number;
                /** @description after so many acts */
                step: number;
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the id under which the text is kept */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeliefShown"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    drawn_api_records__record__deals__deal__drawn_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the id under which the text is kept */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drawn"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    record_api_records__record__deals__deal__record_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the id under which the text is kept */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    review_api_records__record__deals__deal__review_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the id under which the text is kept */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A `Judged` a line, each as soon as it is known; a `Trouble` at the end where it breaks off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    tables_api_tables_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableCard"][];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    make_api_tables_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTable"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seated"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    table_card_api_tables__table__get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableCard"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    delete_api_tables__table__delete: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    deal_api_tables__table__deals__deal__get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    belief_api_tables__table__deals__deal__belief_get: {
        parameters: {
            query: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
                /** @description the seat */
                seat: number;
                /** @description after so many acts */
                step: number;
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeliefShown"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    drawn_api_tables__table__deals__deal__drawn_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drawn"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    record_api_tables__table__deals__deal__record_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    review_api_tables__table__deals__deal__review_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the deal, from 1 */
                deal: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A `Judged` a line, each as soon as it is known; a `Trouble` at the end where it breaks off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    invitation_api_tables__table__invitation_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    invitation_code_api_tables__table__invitation_svg_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    whole_record_api_tables__table__record_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    sit_api_tables__table__seats__seat__post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Sit"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seated"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    stand_api_tables__table__seats__seat__delete: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: {
                /** @description opens its seat */
                "X-Seat-Token"?: string | null;
            };
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    ask_for_seat_api_tables__table__seats__seat__ask_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: never;
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskForSeat"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    belief_api_tables__table__seats__seat__belief_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: {
                /** @description opens its seat */
                "X-Seat-Token"?: string | null;
            };
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeliefShown"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    check_api_tables__table__seats__seat__check_post: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
            };
            header?: {
                /** @description opens its seat */
                "X-Seat-Token"?: string | null;
            };
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Asked"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    hint_api_tables__table__seats__seat__hint_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
                /** @description 1 for the group alone, 2 for the play with its odds */
                step?: number;
            };
            header?: {
                /** @description opens its seat */
                "X-Seat-Token"?: string | null;
            };
            path: {
                /** @description the seat */
                seat: number;
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hint"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The table does not allow it now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    state_api_tables__table__state_get: {
        parameters: {
            query?: {
                /** @description the language of all texts */
                lang?: "en" | "de" | "zh";
                /** @description whose view; a spectator's without it */
                seat?: number | null;
            };
            header?: {
                /** @description opens its seat */
                "X-Seat-Token"?: string | null;
            };
            path: {
                /** @description the table's id */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["State"];
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    health_health_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
    measured_metrics_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description That is not open to the one who asks. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The request is not in its form. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description Too much was asked at once. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            /** @description The games cannot be kept or read just now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
        };
    };
}
