import type { XapiVersion } from '../xapi/types.ts';

/** A key of the configuration as people may see it: of a secret only whether it is set. */
export type ShownSetting = ShownKey &
  ({ readonly value: unknown } | { readonly secret: true; readonly set: boolean });

interface ShownKey {
  readonly group: string;
  readonly key: string;
  /** The environment variable that sets it. */
  readonly env: string;
  /** Whether nobody has set it. */
  readonly default: boolean;
}

/** What runs here, and how it is set up. */
export interface Setup {
  /** The version of Node.js. */
  readonly node: string;
  /** When this process opened the LRS, as a timestamp. */
  readonly started: string;
  readonly 'supported-versions': readonly XapiVersion[];
  readonly database: {
    readonly engine: string;
    readonly version: string;
    /** Bytes. */
    readonly size: number;
    /** The newest step of the schema. */
    readonly schema: string;
  };
  readonly settings: readonly ShownSetting[];
}

export interface SettingsService {
  describe(): Promise<Setup>;
}
