import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';

/** Made once for all files of a process: compiling its rules takes seconds, and checking a template takes a moment. */
let engine: InstanceType<typeof CelEngine> | undefined;

/** What the offline validator of AWS finds in the file of a template, suggestions left out, and rules that are ignored. */
export function findingsIn(file: string, ignoredRules: readonly string[] = []): string[] {
  engine ??= new CelEngine();
  const { diagnostics } = engine.validateStandard(new TemplateFile(file), {
    severityLevel: 'WARN',
    exclude: { ids: [...ignoredRules] },
  });
  return diagnostics.map(({ severity, ruleId, message }) => `${severity} ${ruleId} ${message}`);
}
