import { list, numberedUuid, reference, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const batch = 500;

/** Stores so many statements in batches; `text` gives that of each. */
async function store(context: Context, count: number, text: (index: number) => string): Promise<void> {
  const batches = Math.ceil(count / batch);
  await context.parallel(batches, 1, (turn) =>
    context.client.post(
      `[${list(Math.min(batch, count - turn * batch), (index) => text(turn * batch + index))}]`,
    ),
  );
}

/** A statement that is found by about 140 search keys. */
function manyKeys(id: string): string {
  const others = list(130, (index) => `{"id":"https://attacker.example/activities/${index}"}`);
  const member = list(8, (index) => `{"mbox":"mailto:m${index}@attacker.example"}`);
  return statementText({
    id: `"${id}"`,
    actor: `{"objectType":"Group","member":[${member}]}`,
    context: `{"contextActivities":{"other":[${others}]}}`,
  });
}

const target = numberedUuid(0, 800);

async function waitForTarget(context: Context): Promise<void> {
  await store(context, context.amount(12_000), (index) =>
    statementText({ id: `"${numberedUuid(index, 801)}"`, object: reference(target) }),
  );
}

/** Each statement refers to the one that is stored after it, so that every one waits for the last. */
async function chainWithoutEnd(context: Context): Promise<void> {
  await store(context, context.amount(8_000), (index) =>
    statementText({ id: `"${numberedUuid(index, 810)}"`, object: reference(numberedUuid(index + 1, 810)) }),
  );
}

async function cycles(context: Context): Promise<void> {
  const length = context.amount(4_000);
  await store(context, length, (index) =>
    statementText({
      id: `"${numberedUuid(index, 820)}"`,
      object: reference(numberedUuid((index + 1) % length, 820)),
    }),
  );
  await store(context, context.amount(2_000), (index) =>
    statementText({ id: `"${numberedUuid(index, 821)}"`, object: reference(numberedUuid(index, 821)) }),
  );
}

async function voidStorm(context: Context): Promise<void> {
  const verb = '{"id":"http://adlnet.gov/expapi/verbs/voided"}';
  await store(context, context.amount(10_000), (index) =>
    statementText({
      id: `"${numberedUuid(index, 831)}"`,
      verb,
      object: reference(numberedUuid(index % 5_000, 830)),
    }),
  );
  await store(context, context.amount(5_000), (index) =>
    statementText({ id: `"${numberedUuid(index, 830)}"` }),
  );
}

/** A tree of references: each statement is referred to by ten others, which are there first. */
async function tree(context: Context): Promise<void> {
  const count = context.amount(11_000);
  await store(context, count, (turn) => {
    const index = count - turn;
    return statementText({
      id: `"${numberedUuid(index, 840)}"`,
      object: reference(numberedUuid(Math.floor(index / 10), 840)),
    });
  });
}

export const referenceAttacks: readonly Attack[] = [
  {
    name: 'late-reference-target',
    area: 'references',
    threat:
      'a statement with 140 search keys that 12,000 stored ones refer to; honest clients use another process',
    honestElsewhere: true,
    prepare: waitForTarget,
    run: async (context) => {
      await context.client.post(manyKeys(target));
    },
  },
  {
    name: 'reference-chain',
    area: 'references',
    threat: 'a chain of 8,000 references, whose target comes last',
    honestElsewhere: true,
    prepare: chainWithoutEnd,
    run: async (context) => {
      await context.client.post(manyKeys(numberedUuid(context.amount(8_000), 810)));
    },
  },
  {
    name: 'reference-cycles',
    area: 'references',
    threat: 'references in a circle of 4,000 statements, and to themselves',
    honestElsewhere: true,
    run: cycles,
  },
  {
    name: 'reference-tree',
    area: 'references',
    threat: 'a tree of 11,000 references, leaves first, and then its root',
    honestElsewhere: true,
    run: async (context) => {
      await tree(context);
      await context.client.post(manyKeys(numberedUuid(0, 840)));
    },
  },
  {
    name: 'void-storm',
    area: 'references',
    threat: '10,000 statements void 5,000 that come later',
    honestElsewhere: true,
    run: voidStorm,
  },
];
