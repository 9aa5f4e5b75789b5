import { loadConfig } from '../../config/config.ts';

/** The default limits of the server: attackers know them and stay just below. */
export const limits = loadConfig({ env: {}, cwd: import.meta.dirname }).config.lrs;
