import { activityHandlers } from '../xapi/activities.ts';
import { activityProfileHandlers } from '../xapi/activities-profile.ts';
import { stateHandlers } from '../xapi/activities-state.ts';
import { agentHandlers } from '../xapi/agents.ts';
import { agentProfileHandlers } from '../xapi/agents-profile.ts';
import { attachmentHandlers } from '../xapi/attachments.ts';
import { groupHandler } from './group.ts';
import { open, openNow } from './runtime.ts';

/** The resources of the xAPI other than statements: documents, Agents and Activities; and large attachments. */
export const endpoints = {
  ...stateHandlers(open),
  ...agentProfileHandlers(open),
  ...activityProfileHandlers(open),
  ...agentHandlers(open),
  ...activityHandlers(open),
  ...attachmentHandlers(open),
};
export const handler = groupHandler(endpoints);

await openNow();
