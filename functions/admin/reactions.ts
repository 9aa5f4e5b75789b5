import type { AdminCall } from '../../lib/http/call.ts';
import { adminHandler, adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteMember } from '../../lib/http/operator-notes.ts';
import { jsonText } from '../../lib/http/responses.ts';
import { dryRun } from '../../lib/http/steps/audit-trail.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { printJson } from '../../lib/json/json.ts';
import { storedText } from '../../lib/position.ts';
import type { OnChanged } from '../../lib/reactions/types.ts';
import { checked } from '../../lib/schema.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const requestReaders = () => import('../../lib/reactions/bodies.ts');

type ReactionHandler =
  | 'createReaction'
  | 'updateReaction'
  | 'deleteReaction'
  | 'listReactions'
  | 'getReaction'
  | 'findFirings'
  | 'previewReaction'
  | 'replayReaction';

/** Reactions: what statements make the LRS generate further ones. */
export function reactionHandlers(open: Open): Record<ReactionHandler, Handler> {
  const setting = { feature: 'Reactions', isPlural: true, setting: 'lrs.enableReactions' };
  const first = [requireSetting(({ lrs }) => lrs.enableReactions, setting)];
  return {
    createReaction: adminHandler(open, createReaction, { first }),
    updateReaction: adminHandler(open, updateReaction, { first, note: noteMember('reactionId') }),
    deleteReaction: adminHandler(open, deleteReaction, { first, note: noteMember('reactionId') }),
    listReactions: adminViewHandler(open, listReactions, { first }),
    getReaction: adminViewHandler(open, getReaction, { first }),
    findFirings: adminViewHandler(open, findFirings, { first }),
    previewReaction: adminHandler(open, previewReaction, { first, note: notePreview, whileReadOnly: true }),
    replayReaction: adminHandler(open, replayReaction, { first, note: noteMember('reactionId') }),
  };
}

async function createReaction(call: AdminCall): Promise<HttpResponse> {
  const { createReactionSchema, readBesideRuleset, readBody, warnedOf } = await requestReaders();
  const { json, lrs } = call;
  const body = readBesideRuleset(json, () => readBody(createReactionSchema, json), lrs.reactions);
  call.filters = { active: String(body.value.active) };
  const saved = await lrs.reactions.create(body.value, noteOutcome(call));
  call.subject = saved.reactionId;
  return answered(warnedOf(saved, body));
}

async function updateReaction(call: AdminCall): Promise<HttpResponse> {
  const { updateReactionSchema, readBesideRuleset, readBody, warnedOf } = await requestReaders();
  const { json, lrs } = call;
  const body = readBesideRuleset(json, () => readBody(updateReactionSchema, json), lrs.reactions);
  const { reactionId, expectedModified, ...change } = body.value;
  call.filters = {
    changed: Object.keys(change).toSorted().join(', '),
    ...(change.active !== undefined && { active: String(change.active) }),
  };
  const saved = await call.lrs.reactions.update(reactionId, change, expectedModified, noteOutcome(call));
  return answered(warnedOf(saved, body));
}

async function deleteReaction(call: AdminCall): Promise<HttpResponse> {
  const { deleteReactionSchema, readBody, warnedOf } = await requestReaders();
  const body = readBody(deleteReactionSchema, call.json);
  const { reactionId } = body.value;
  await call.lrs.reactions.remove(reactionId, noteOutcome(call));
  return answered(warnedOf({ reactionId }, body));
}

async function listReactions({ lrs, query, responseMemory }: AdminCall): Promise<HttpResponse> {
  const { readListParameters } = await requestReaders();
  const { deleted } = readListParameters(query);
  // The rulesets are in memory as they are stored and as they are sent.
  const reserve = (bytes: number) => responseMemory?.reserve(2 * bytes);
  const reactions = await (deleted ? lrs.reactions.listDeleted(reserve) : lrs.reactions.list(reserve));
  return jsonText(200, `{"reactions":[${reactions.join(',')}]}`);
}

async function getReaction({ lrs, path, query }: AdminCall): Promise<HttpResponse> {
  const { readReactionId, readFiringsParameters } = await requestReaders();
  return answered(await lrs.reactions.find(readReactionId(path), readFiringsParameters(query)));
}

async function findFirings({ lrs, query }: AdminCall): Promise<HttpResponse> {
  const { readLinkParameters } = await requestReaders();
  return answered(await lrs.reactions.linksOf(readLinkParameters(query)));
}

async function previewReaction(call: AdminCall): Promise<HttpResponse> {
  const { lrs, json } = call;
  const { readBesideRuleset, readPreviewBody } = await requestReaders();
  const most = lrs.config.lrs.reactionPreviewStatements;
  const request = readBesideRuleset(json, () => readPreviewBody(json, most), lrs.reactions);
  const { statements, since, until } = request;
  call.filters = {
    statements: String(statements),
    ...(since !== undefined && { since: storedText(since) }),
    ...(until !== undefined && { until: storedText(until) }),
  };
  const preview = await lrs.reactions.preview(request);
  call.counts = () => ({ statements: preview.examined, firings: preview.firings });
  return answered(preview);
}

async function replayReaction(call: AdminCall): Promise<HttpResponse> {
  const { replaySchema } = await requestReaders();
  const { reactionId, from } = checked(replaySchema, call.json);
  const replay = await call.lrs.reactions.replay(reactionId, from);
  call.filters = { since: replay.from, until: replay.through };
  return answered(replay);
}

/** The ids that the audit trail names of deleted reactions that are removed for ever, and how many they are. */
const mostNamed = 10;

/** A change that the service refuses has no outcome, so its entry has what was asked for. */
function noteOutcome(call: AdminCall): OnChanged {
  const { filters } = call;
  return ({ title, purged, restored }) => {
    const more = purged.length > mostNamed ? ` and ${purged.length - mostNamed} more` : '';
    call.filters = {
      ...filters,
      title,
      ...(restored && { restored: 'true' }),
      ...(purged.length > 0 && { purged: purged.slice(0, mostNamed).join(', ') + more }),
    };
  };
}

/** Numbers in rulesets and statements stay as they were written. */
function answered(answer: object): HttpResponse {
  return jsonText(200, printJson(answer));
}

/** The editor asks for a preview with each pause while somebody types: they share an entry, which has their number. */
function notePreview(call: AdminCall): void {
  call.variant = dryRun;
  call.merges = true;
}
