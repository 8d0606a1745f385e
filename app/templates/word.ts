// A Word document (ECMA-376 part 1, WordprocessingML): the styles a person looks for in the menu, and the paragraphs given.

import { openXmlPackage, relationships } from './package.ts';
import type { Paper } from './paper.ts';

export interface Paragraph {
  style?: 'Title' | 'Subtitle' | 'Heading1' | 'Heading2' | 'ListBullet';
  /** Plain text; what stands between two `*` is bold. */
  text: string;
}

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const typeOf = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;

/** In twentieths of a point. */
const pageSizes = { a4: 'w:w="11906" w:h="16838"', letter: 'w:w="12240" w:h="15840"' } as const;

export function wordDocument(content: { paper: Paper; paragraphs?: readonly Paragraph[] }): Uint8Array {
  const { paper, paragraphs = [{ text: '' }] } = content;
  return openXmlPackage(
    {
      'word/document.xml': typeOf('document.main'),
      'word/styles.xml': typeOf('styles'),
      'word/numbering.xml': typeOf('numbering'),
      'word/settings.xml': typeOf('settings'),
    },
    [
      ['_rels/.rels', relationships([['officeDocument', 'word/document.xml']])],
      [
        'word/document.xml',
        `<w:document xmlns:w="${namespace}"><w:body>${paragraphs.map(paragraphXml).join('')}` +
          `<w:sectPr><w:pgSz ${pageSizes[paper]}/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>` +
          '</w:body></w:document>',
      ],
      [
        'word/_rels/document.xml.rels',
        relationships([
          ['styles', 'styles.xml'],
          ['numbering', 'numbering.xml'],
          ['settings', 'settings.xml'],
        ]),
      ],
      ['word/styles.xml', styles],
      ['word/numbering.xml', numbering],
      ['word/settings.xml', settings],
    ],
  );
}

function paragraphXml({ style, text }: Paragraph): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  const runs = text
    .split('*')
    .map((part, index) => (part === '' ? '' : runXml(part, index % 2 === 1)))
    .join('');
  return `<w:p>${properties}${runs}</w:p>`;
}

function runXml(text: string, isBold: boolean): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<w:r>${isBold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${escaped}</w:t></w:r>`;
}

function style(id: string, name: string, rest: string, basedOn = 'Normal', next = 'Normal'): string {
  return (
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${basedOn}"/>` +
    `<w:next w:val="${next}"/><w:qFormat/>${rest}</w:style>`
  );
}

function heading(level: 1 | 2 | 3, halfPoints: number): string {
  return style(
    `Heading${level}`,
    `heading ${level}`,
    `<w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${level === 1 ? 360 : 240}" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr>` +
      `<w:rPr><w:b/><w:color w:val="0B5E66"/><w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/></w:rPr>`,
  );
}

const styles =
  `<w:styles xmlns:w="${namespace}"><w:docDefaults>` +
  '<w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:rPrDefault>' +
  '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>' +
  '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style>' +
  '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>' +
  '<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/></w:style>' +
  heading(1, 32) +
  heading(2, 26) +
  heading(3, 24) +
  style(
    'Title',
    'Title',
    '<w:pPr><w:spacing w:after="60" w:line="240" w:lineRule="auto"/></w:pPr><w:rPr><w:b/><w:color w:val="0B5E66"/><w:sz w:val="52"/><w:szCs w:val="52"/></w:rPr>',
  ) +
  style(
    'Subtitle',
    'Subtitle',
    '<w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:color w:val="5A6470"/><w:sz w:val="26"/><w:szCs w:val="26"/></w:rPr>',
  ) +
  style(
    'ListBullet',
    'List Bullet',
    '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:spacing w:after="60"/></w:pPr>',
    'Normal',
    'ListBullet',
  ) +
  '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:tblPr><w:tblBorders>' +
  ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
    .map((edge) => `<w:${edge} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
    .join('') +
  '</w:tblBorders></w:tblPr></w:style></w:styles>';

const numbering =
  `<w:numbering xmlns:w="${namespace}"><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>` +
  '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:pStyle w:val="ListBullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="425" w:hanging="283"/></w:pPr></w:lvl>' +
  '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>';

// Without a compatibility mode Word opens the document as one of Word 2007, and says so in its title.
const settings =
  `<w:settings xmlns:w="${namespace}"><w:zoom w:percent="100"/><w:defaultTabStop w:val="708"/><w:characterSpacingControl w:val="doNotCompress"/>` +
  '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>';
