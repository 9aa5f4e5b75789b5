import { administrationAttacks } from './attacks/administration.ts';
import { attachmentAttacks } from './attacks/attachments.ts';
import { bodyAttacks } from './attacks/bodies.ts';
import { connectionAttacks } from './attacks/connections.ts';
import { documentAttacks } from './attacks/documents.ts';
import { exportAttacks } from './attacks/exports.ts';
import { headerAttacks } from './attacks/headers.ts';
import { mixedAttacks } from './attacks/mixed.ts';
import { queryAttacks } from './attacks/queries.ts';
import { rateLimitAttacks } from './attacks/rate-limits.ts';
import { reactionAttacks } from './attacks/reactions.ts';
import { referenceAttacks } from './attacks/references.ts';
import { repeatAttacks } from './attacks/repeats.ts';
import { strangerAttacks } from './attacks/strangers.ts';
import { tlsAttacks } from './attacks/tls.ts';
import { validationAttacks } from './attacks/validation.ts';
import { writeLockAttacks } from './attacks/write-lock.ts';
import { fuzzAttacks } from './fuzz/fuzzing.ts';
import type { Attack } from './types.ts';

/** All attacks in the order in which they run. */
export const attacks: readonly Attack[] = [
  ...connectionAttacks,
  ...tlsAttacks,
  ...bodyAttacks,
  ...headerAttacks,
  ...validationAttacks,
  ...repeatAttacks,
  ...attachmentAttacks,
  ...documentAttacks,
  ...queryAttacks,
  ...mixedAttacks,
  ...referenceAttacks,
  ...writeLockAttacks,
  ...strangerAttacks,
  ...administrationAttacks,
  ...rateLimitAttacks,
  ...exportAttacks,
  ...reactionAttacks,
  ...fuzzAttacks,
];
