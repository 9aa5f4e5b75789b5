import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begun last, one of these would run alone at the end: they wait for minutes, for servers and time limits. */
const longest =
  /\/tests\/(proof\/|attack\/|dialects\/(silent-server|replicas-failing)|http\/admin\/reaction-firings)/;

/** Begins the files that take longest before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...others.filter(isLong), ...others.filter((file) => !isLong(file))];
  }
}
