/** What the tests use of the library, which brings no types. */
declare module 'tincanjs' {
  namespace TinCan {
    type Callback<T> = (error: unknown, result: T) => void;

    interface Answer {
      readonly status: number;
      readonly responseText: string;
    }
    interface Asked<T> {
      callback: Callback<T>;
      readonly params?: object;
    }
    interface DocumentOf<T> extends Asked<T> {
      readonly agent?: Agent;
      readonly activity?: Activity;
      readonly registration?: string;
      readonly contentType?: string;
      readonly method?: 'PUT' | 'POST';
      /** The ETag, as it came. */
      readonly lastSHA1?: string;
    }
    interface Found {
      readonly contents: unknown;
      readonly contentType: string;
      readonly etag: string;
    }

    class Agent {
      constructor(properties: object);
      readonly mbox: string;
    }
    class Activity {
      constructor(properties: object);
      readonly id: string;
      readonly definition: { readonly name: Readonly<Record<string, string>> };
    }
    class Attachment {
      constructor(properties: object);
      getContentAsString(): string;
    }
    class Statement {
      constructor(properties: object);
      readonly id: string;
      readonly actor: Agent;
      readonly attachments: readonly Attachment[];
    }
    interface StatementsResult {
      readonly statements: readonly Statement[];
      /** The address of the next page; null on the last. */
      readonly more: string | null;
    }

    class LRS {
      constructor(settings: { endpoint: string; username: string; password: string; allowFail: boolean });
      readonly version: string;
      sendRequest(request: Asked<Answer> & { readonly url: string; readonly method: string }): void;
      saveStatement(statement: Statement, options: Asked<Answer>): void;
      saveStatements(statements: readonly Statement[], options: Asked<Answer>): void;
      retrieveStatement(id: string, options: Asked<Statement>): void;
      retrieveVoidedStatement(id: string, options: Asked<Statement>): void;
      queryStatements(options: Asked<StatementsResult>): void;
      moreStatements(options: Asked<StatementsResult> & { readonly url: string }): void;
      saveState(id: string, value: unknown, options: DocumentOf<Answer>): void;
      retrieveState(id: string, options: DocumentOf<Found | null>): void;
      retrieveStateIds(options: DocumentOf<string[]>): void;
      dropState(id: string | null, options: DocumentOf<Answer>): void;
      saveActivityProfile(id: string, value: unknown, options: DocumentOf<Answer>): void;
      retrieveActivityProfile(id: string, options: DocumentOf<Found | null>): void;
      retrieveActivityProfileIds(options: DocumentOf<string[]>): void;
      dropActivityProfile(id: string, options: DocumentOf<Answer>): void;
      saveAgentProfile(id: string, value: unknown, options: DocumentOf<Answer>): void;
      retrieveAgentProfile(id: string, options: DocumentOf<Found | null>): void;
      retrieveAgentProfileIds(options: DocumentOf<string[]>): void;
      dropAgentProfile(id: string, options: DocumentOf<Answer>): void;
      retrieveActivity(id: string, options: Asked<Activity>): void;
      about(options: Asked<{ readonly version: string[] }>): void;
    }
  }
  export = TinCan;
}
