// An Excel workbook (ECMA-376 part 1, SpreadsheetML) with one empty sheet.

import { openXmlPackage, relationships } from './package.ts';
import type { Paper } from './paper.ts';

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationshipNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const typeOf = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`;

/** By the numbers of printers' paper. */
const paperSizes = { a4: 9, letter: 1 } as const;

export function excelWorkbook(paper: Paper): Uint8Array {
  return openXmlPackage(
    {
      'xl/workbook.xml': typeOf('sheet.main'),
      'xl/worksheets/sheet1.xml': typeOf('worksheet'),
      'xl/styles.xml': typeOf('styles'),
    },
    [
      ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
      [
        'xl/workbook.xml',
        `<workbook xmlns="${namespace}" xmlns:r="${relationshipNamespace}"><bookViews><workbookView/></bookViews>` +
          '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ],
      [
        'xl/_rels/workbook.xml.rels',
        relationships([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['styles', 'styles.xml'],
        ]),
      ],
      [
        'xl/worksheets/sheet1.xml',
        `<worksheet xmlns="${namespace}"><dimension ref="A1"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews>` +
          '<sheetFormatPr defaultRowHeight="15"/><sheetData/>' +
          '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>' +
          `<pageSetup paperSize="${paperSizes[paper]}" orientation="portrait"/></worksheet>`,
      ],
      ['xl/styles.xml', styles],
    ],
  );
}

// The two fills stand at fixed places: Excel takes the first two for its own, whatever they say.
const styles =
  `<styleSheet xmlns="${namespace}">` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '<dxfs count="0"/></styleSheet>';
