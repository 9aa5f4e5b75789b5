import { FunctionError, Instance, type InstanceOptions, type Invocation } from './instance.ts';

export interface PoolOptions extends InstanceOptions {
  /** Most instances at a time. */
  readonly concurrency: number;
}

/** What a caller gets when all instances are busy and there may be no more. */
export class ThrottledError extends Error {}

/** The instances of one function: a request goes to one that is idle, or to a new one. */
export class FunctionPool {
  readonly options: PoolOptions;
  /** Of every instance that has started. */
  readonly inits: Instance['init'][] = [];
  readonly #instances = new Set<Instance>();
  /** The one that has been idle for the longest time comes first, so that none stays unused. */
  readonly #idle: Instance[] = [];
  #starting = 0;
  /** Instances that have answered and do not wait for an invocation yet, and requests that wait for one of them. */
  #settling = 0;
  readonly #waiting: ((instance: Instance | undefined) => void)[] = [];

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** Those that have started and not ended. */
  get instances(): readonly Instance[] {
    return [...this.#instances];
  }

  /** How many instances have an invocation now. */
  get busy(): number {
    return this.instances.filter(({ isBusy }) => isBusy).length;
  }

  /** @throws ThrottledError, FunctionError */
  async invoke(event: unknown): Promise<Invocation> {
    const instance = this.#takeIdle() ?? (await this.#nextToSettle()) ?? (await this.#start());
    try {
      const invocation = await instance.invoke(event);
      invocation.body.once('close', () => this.#free(instance));
      return invocation;
    } catch (error) {
      // A handler that has thrown leaves its instance as it is.
      if (error instanceof FunctionError && error.kind === 'Unhandled') this.#free(instance);
      else this.#instances.delete(instance);
      throw error;
    }
  }

  /**
   * Starts instances before they are needed, as provisioned concurrency does.
   * @param atOnce how many start at the same time
   */
  async provision(instances: number, atOnce: number): Promise<void> {
    let left = instances;
    const startSome = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        this.#idle.push(await this.#start());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, startSome));
  }

  async stop(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all(this.instances.map((instance) => instance.kill()));
    this.#instances.clear();
  }

  #takeIdle(): Instance | undefined {
    for (let instance = this.#idle.shift(); instance !== undefined; instance = this.#idle.shift()) {
      if (!instance.ended) return instance;
      this.#instances.delete(instance);
    }
    return undefined;
  }

  /** A client may be faster than the instance that has just answered it. */
  #nextToSettle(): Promise<Instance | undefined> | undefined {
    if (this.#settling <= this.#waiting.length) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #start(): Promise<Instance> {
    for (const instance of this.#instances) if (instance.ended) this.#instances.delete(instance);
    if (this.#instances.size + this.#starting >= this.options.concurrency)
      throw new ThrottledError('Rate Exceeded.');
    this.#starting += 1;
    try {
      const instance = await Instance.start(this.options);
      this.#instances.add(instance);
      this.inits.push(instance.init);
      return instance;
    } finally {
      this.#starting -= 1;
    }
  }

  #free(instance: Instance): void {
    this.#settling += 1;
    const settle = (idle: Instance | undefined): void => {
      this.#settling -= 1;
      const next = this.#waiting.shift();
      if (next !== undefined) next(idle);
      else if (idle !== undefined) this.#idle.push(idle);
    };
    instance.idle().then(
      () => settle(instance),
      () => {
        this.#instances.delete(instance);
        settle(undefined);
      },
    );
  }
}
