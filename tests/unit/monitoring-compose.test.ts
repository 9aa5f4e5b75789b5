import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../config/config.ts';

const root = join(import.meta.dirname, '../..');

describe('docker-compose.monitoring.yml', () => {
  const read = (name: string) => parse(readFileSync(join(root, name), 'utf8'));
  const { services } = read('docker-compose.monitoring.yml');

  it('has Prometheus ask the LRS where it shows its metrics, and Grafana ask Prometheus', () => {
    const env: Record<string, string> = services.lrs.environment;
    const { config } = loadConfig({ env, cwd: root });
    expect(config.telemetry).toMatchObject({ metricsHost: '0.0.0.0', metricsPort: 9464 });
    const { scrape_configs } = read('ops/monitoring/prometheus.yml');
    expect(scrape_configs[0].static_configs[0].targets).toEqual(['lrs:9464']);
    const { datasources } = read('ops/monitoring/grafana-datasource.yml');
    expect(datasources[0]).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090' });
  });

  it('has Grafana show the dashboard', () => {
    const volumes: string[] = services.grafana.volumes;
    const [{ options }] = read('ops/monitoring/grafana-dashboards.yml').providers;
    expect(volumes).toContain(`./ops/monitoring/dashboard.json:${options.path}/lrs.json:ro`);
    for (const [source = ''] of volumes
      .filter((each) => each.startsWith('./'))
      .map((each) => each.split(':')))
      expect(existsSync(join(root, source)), source).toBe(true);
  });
});
