import { createHash, randomUUID } from 'node:crypto';

/** The shape of the generated store: who, what, how often. Each of the frequent actors has a fiftieth of the statements. */
export const population = {
  actors: 1000,
  frequentActors: 5,
  activities: 500,
  verbs: 20,
  groups: 50,
  courses: 25,
};
const frequentShare = population.frequentActors / 50;

export interface Generated {
  readonly id: string;
  readonly actor: object;
  /** One of the frequent actors, whoever the actor is. */
  readonly frequentActor: object;
  readonly instructor: object;
  readonly verb: string;
  readonly activity: string;
  readonly course: string;
  readonly registration: string;
}

/** A repeatable sequence of numbers in [0, 1) (mulberry32), so that two runs load the same statements. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const actorNumber = (n: number) => ({
  objectType: 'Agent',
  account: { homePage: 'https://lms.example.org', name: `learner-${n}` },
});
const instructorNumber = (n: number) => ({
  objectType: 'Agent',
  mbox: `mailto:instructor-${n}@example.org`,
});
const verbNumber = (n: number) => `https://w3id.org/xapi/bench/verbs/verb-${n}`;
const activityNumber = (n: number) => `https://lms.example.org/activities/unit-${n}`;
const courseNumber = (n: number) => `https://lms.example.org/courses/course-${n}`;

/** Statements of about 1.3 kB with a score, a registration, a parent, a grouping and an instructor. */
export class StatementGenerator {
  readonly #random: () => number;
  #count = 0;

  constructor(seed = 1) {
    this.#random = sequence(seed);
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #frequentActor(): object {
    return actorNumber(this.#below(population.frequentActors));
  }

  #otherActor(): object {
    const { actors, frequentActors } = population;
    return actorNumber(frequentActors + this.#below(actors - frequentActors));
  }

  next(): { readonly facts: Generated; readonly text: string } {
    this.#count += 1;
    const activity = this.#below(population.activities);
    const course = activity % population.courses;
    const verb = this.#below(population.verbs);
    const facts: Generated = {
      id: randomUUID(),
      actor: this.#random() < frequentShare ? this.#frequentActor() : this.#otherActor(),
      frequentActor: this.#frequentActor(),
      instructor: instructorNumber(this.#below(population.groups)),
      verb: verbNumber(verb),
      activity: activityNumber(activity),
      course: courseNumber(course),
      registration: randomUUID(),
    };
    return { facts, text: JSON.stringify(this.#statement(facts, verb, activity)) };
  }

  #statement(facts: Generated, verb: number, activity: number): object {
    return {
      id: facts.id,
      actor: { ...facts.actor, name: 'A Learner of the Bench' },
      verb: { id: facts.verb, display: { 'en-US': `verb number ${verb}`, 'de-DE': `Verb Nummer ${verb}` } },
      object: {
        objectType: 'Activity',
        id: facts.activity,
        definition: {
          name: { 'en-US': `Unit ${activity}`, 'de-DE': `Einheit ${activity}` },
          description: {
            'en-US': 'A unit of a course that exists to be measured, with a text of an ordinary length.',
          },
          type: 'http://adlnet.gov/expapi/activities/lesson',
        },
      },
      result: {
        score: { scaled: this.#below(100) / 101, raw: this.#below(100), min: 0, max: 100 },
        success: this.#random() < 0.7,
        completion: true,
        duration: `PT${1 + this.#below(59)}M${this.#below(60)}S`,
        response: createHash('sha256').update(String(this.#count)).digest('hex'),
      },
      context: {
        registration: facts.registration,
        platform: 'bench',
        language: 'en-US',
        instructor: facts.instructor,
        contextActivities: {
          parent: [{ id: facts.course, objectType: 'Activity' }],
          grouping: [{ id: 'https://lms.example.org/programmes/all', objectType: 'Activity' }],
        },
        extensions: { 'https://lms.example.org/extensions/attempt': this.#below(10) },
      },
      timestamp: new Date(Date.UTC(2026, 0, 1) + this.#count * 1000).toISOString(),
    };
  }

  batch(size: number): { readonly facts: readonly Generated[]; readonly text: string } {
    const parts = Array.from({ length: size }, () => this.next());
    return { facts: parts.map((part) => part.facts), text: `[${parts.map((part) => part.text).join(',')}]` };
  }
}
