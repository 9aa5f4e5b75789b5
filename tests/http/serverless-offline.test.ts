import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadKeyPair } from '../../lib/adapter/certificate.ts';
import { createLogger } from '../../lib/logger.ts';
import { firstAccount } from '../support/entrance.ts';
import { connect } from '../support/lrs-client.ts';
import { offlineEntrance } from '../support/offline-entrance.ts';
import { statementFlow } from './statement-flow.ts';

describe('through serverless offline', () => {
  statementFlow(offlineEntrance);
});

describe('serverless offline', () => {
  it('hands its settings on to the threads of the functions, without --useInProcess too', async () => {
    const entrance = await offlineEntrance([]);
    try {
      // The first account and the place of the database come from settings.
      const client = await connect(entrance);
      expect((await client.xapi('GET')).status).toBe(200);
    } finally {
      await entrance.close();
    }
  });

  it('serves by HTTPS with the key and the certificate in the folder that --httpsProtocol names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'offline-https-'));
    const files = {
      keyPkeyFile: join(folder, 'none'),
      keyCertChain: [join(folder, 'none')],
      keyEnableSelfie: true,
    };
    const { key, cert } = await loadKeyPair(files, createLogger('OFF'));
    writeFileSync(join(folder, 'key.pem'), key);
    writeFileSync(join(folder, 'cert.pem'), cert);
    const entrance = await offlineEntrance(['--useInProcess', '--httpsProtocol', folder], 'https');
    try {
      const body = JSON.stringify(firstAccount);
      const headers = { 'content-type': 'application/json' };
      const path = '/admin/account/login';
      expect((await entrance.send({ method: 'POST', path, headers, body })).status).toBe(200);
    } finally {
      await entrance.close();
      rmSync(folder, { recursive: true });
    }
  });
});
