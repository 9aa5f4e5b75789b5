import { describe, expect, it } from 'vitest';
import { defused } from '../../../lib/csv/cells.ts';
import { headerLine, statementLine } from '../../../lib/csv/lines.ts';
import { LanguagePicker } from '../../../lib/xapi/language.ts';

describe('a cell', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u00ad=1',
    '\u061c+1',
    '\u180e=1',
    '\u200b-1',
    '\u200c=1',
    '\u200d@x',
    '\u200e=1',
    '\u200f=1',
    '\u202e=1',
    '\u2060=1',
    '\ufeff=1',
    '\u115f=1',
    '\u3164=1',
    '\ufe0f=1',
    '\u{e0001}=1',
    '\u{e0101}＝1',
    ' \u200b \ufeff=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
  ])('that a spreadsheet might run is text: %j', (text) => {
    expect(defused(text)).toBe(`'${text}`);
  });

  it.each(['a=1', '1-1', 'mailto:a@example.org', "'=1", '', ' x', '5', '\u200b1=1', '\u200b', '\u{1f600}=1'])(
    'that is no formula stays: %j',
    (text) => {
      expect(defused(text)).toBe(text);
    },
  );

  it('holds what stands at its path, and nothing where nothing of its own stands', () => {
    const text = '{"n":[1.0,-5,12345678901234567890],"b":false,"z":null,"s":"","o":{"-x":[1e2]},"t":"x\\ry"}';
    const paths = [
      ['n', 0],
      ['n', 1],
      ['n', 2],
      ['b'],
      ['z'],
      ['s'],
      ['o'],
      ['o', '-x', 0],
      ['n', 'length'],
      ['n', '0'],
      ['o', 0],
      ['toString'],
      ['b', 'x'],
    ];
    expect(statementLine(text, { paths })).toBe(
      '1.0,-5,12345678901234567890,false,,,"{""-x"":[1e2]}",1e2,,,,,\r\n',
    );
    expect(statementLine(text, { paths: [['b'], ['t']] })).toBe('"false","x\ry"\r\n');
    expect(headerLine({ paths: [['a', 0, 'b,c'], ['-x']] })).toBe('"a_0_b,c",\'-x\r\n');
  });

  describe('of a language map', () => {
    const text = JSON.stringify({
      verb: { display: { en: '=passed', 'de-CH': 'bestanden' } },
      object: {
        definition: {
          name: { fr: 'cours' },
          description: {},
          choices: [{ id: 'a', description: { de: 'eins', en: 'one' } }],
          extensions: { display: { en: 'x', de: 'y' } },
        },
      },
      attachments: [{ display: { en: 'file', de: 'Datei' } }],
    });
    const paths = [
      ['verb', 'display'],
      ['object', 'definition', 'name'],
      ['object', 'definition', 'description'],
      ['object', 'definition', 'choices', 0, 'description'],
      ['attachments', 0, 'display'],
      ['object', 'definition', 'extensions', 'display'],
      ['verb', 'display', 'en'],
    ];

    it.each([
      [['de'], 'bestanden,cours,,eins,Datei,"{""en"":""x"",""de"":""y""}",\'=passed\r\n'],
      [['en', 'de'], '\'=passed,cours,,one,file,"{""en"":""x"",""de"":""y""}",\'=passed\r\n'],
      [[], '\'=passed,cours,,eins,file,"{""en"":""x"",""de"":""y""}",\'=passed\r\n'],
    ])('holds the text in the best of the languages %j', (languages, line) => {
      expect(statementLine(text, { paths, languages: new LanguagePicker(languages) })).toBe(line);
    });

    it('holds the map as JSON when no languages are given', () => {
      expect(statementLine(text, { paths: [['object', 'definition', 'name']] })).toBe(
        '"{""fr"":""cours""}"\r\n',
      );
    });
  });
});
