// Blank documents of OpenDocument 1.3: text, spreadsheet and presentation, each with the styles a person looks for first.

import { openDocumentPackage } from './package.ts';
import type { Paper } from './paper.ts';

const mimeType = 'application/vnd.oasis.opendocument';

const namespaces = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  presentation: 'urn:oasis:names:tc:opendocument:xmlns:presentation:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
})
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ');

const pageSizes = {
  a4: 'fo:page-width="21cm" fo:page-height="29.7cm"',
  letter: 'fo:page-width="8.5in" fo:page-height="11in"',
} as const;

const fonts =
  '<office:font-face-decls><style:font-face style:name="Sans" svg:font-family="\'Liberation Sans\', Arial" style:font-family-generic="swiss" style:font-pitch="variable"/></office:font-face-decls>';

function content(body: string, automaticStyles = ''): string {
  return (
    `<office:document-content ${namespaces} office:version="1.3">` +
    `<office:automatic-styles>${automaticStyles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`
  );
}

function styles(common: string, automatic: string, masters: string): string {
  return (
    `<office:document-styles ${namespaces} office:version="1.3">${fonts}<office:styles>${common}</office:styles>` +
    `<office:automatic-styles>${automatic}</office:automatic-styles><office:master-styles>${masters}</office:master-styles></office:document-styles>`
  );
}

const meta =
  `<office:document-meta ${namespaces} xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" office:version="1.3">` +
  '<office:meta><meta:generator>DocTray</meta:generator></office:meta></office:document-meta>';

/** `rest` holds size, print orientation and margins. */
function pageLayout(rest: string): string {
  return `<style:page-layout style:name="Page"><style:page-layout-properties ${rest}/></style:page-layout>`;
}

function heading(level: number, points: number): string {
  return (
    `<style:style style:name="Heading_20_${level}" style:display-name="Heading ${level}" style:family="paragraph" style:parent-style-name="Heading" style:next-style-name="Standard" style:default-outline-level="${level}" style:class="text">` +
    `<style:text-properties fo:font-size="${points}pt" fo:font-weight="bold"/></style:style>`
  );
}

const textDefaults = '<style:text-properties style:font-name="Sans" fo:font-size="11pt"/>';

export function openDocumentText(paper: Paper): Uint8Array {
  const common =
    `<style:default-style style:family="paragraph"><style:paragraph-properties style:tab-stop-distance="1.25cm"/>${textDefaults}</style:default-style>` +
    '<style:style style:name="Standard" style:family="paragraph" style:class="text"><style:paragraph-properties fo:margin-bottom="0.2cm" fo:line-height="115%"/></style:style>' +
    '<style:style style:name="Heading" style:family="paragraph" style:parent-style-name="Standard" style:next-style-name="Standard" style:class="text"><style:paragraph-properties fo:margin-top="0.42cm" fo:margin-bottom="0.21cm" fo:keep-with-next="always"/></style:style>' +
    heading(1, 18) +
    heading(2, 15) +
    heading(3, 13) +
    '<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Heading" style:next-style-name="Standard" style:class="chapter"><style:text-properties fo:font-size="26pt" fo:font-weight="bold"/></style:style>';
  return openDocumentPackage(`${mimeType}.text`, [
    ['content.xml', content('<office:text><text:p text:style-name="Standard"/></office:text>')],
    [
      'styles.xml',
      styles(
        common,
        pageLayout(
          `${pageSizes[paper]} style:print-orientation="portrait" fo:margin-top="2.5cm" fo:margin-bottom="2.5cm" fo:margin-left="2.5cm" fo:margin-right="2.5cm"`,
        ),
        '<style:master-page style:name="Standard" style:page-layout-name="Page"/>',
      ),
    ],
    ['meta.xml', meta],
  ]);
}

export function openDocumentSpreadsheet(paper: Paper): Uint8Array {
  const cells = `<style:default-style style:family="table-cell"><style:text-properties style:font-name="Sans" fo:font-size="10pt"/></style:default-style><style:style style:name="Default" style:family="table-cell"/>`;
  const automatic =
    '<style:style style:name="co1" style:family="table-column"><style:table-column-properties style:column-width="2.26cm"/></style:style>' +
    '<style:style style:name="ta1" style:family="table" style:master-page-name="Default"><style:table-properties table:display="true"/></style:style>';
  const sheet =
    '<office:spreadsheet><table:table table:name="Sheet1" table:style-name="ta1">' +
    '<table:table-column table:style-name="co1" table:default-cell-style-name="Default"/>' +
    '<table:table-row><table:table-cell/></table:table-row></table:table></office:spreadsheet>';
  return openDocumentPackage(`${mimeType}.spreadsheet`, [
    ['content.xml', content(sheet, automatic)],
    [
      'styles.xml',
      styles(
        cells,
        pageLayout(
          `${pageSizes[paper]} style:print-orientation="portrait" fo:margin-top="2cm" fo:margin-bottom="2cm" fo:margin-left="2cm" fo:margin-right="2cm"`,
        ),
        '<style:master-page style:name="Default" style:page-layout-name="Page"/>',
      ),
    ],
    ['meta.xml', meta],
  ]);
}

/** A placeholder of the kinds `title` and `subtitle`; `y` and `height` in centimetres. */
function placeholder(kind: 'title' | 'subtitle', y: number, height: number, parent: string): string {
  return (
    `<draw:frame presentation:style-name="${parent}" draw:layer="layout" svg:x="1.4cm" svg:y="${y}cm" svg:width="25.2cm" svg:height="${height}cm" presentation:class="${kind}" presentation:placeholder="true">` +
    '<draw:text-box/></draw:frame>'
  );
}

function presentationStyle(name: string, points: number, rest: string): string {
  return (
    `<style:style style:name="${name}" style:family="presentation"><style:graphic-properties draw:stroke="none" draw:fill="none" draw:textarea-vertical-align="middle" draw:auto-grow-height="false"/>` +
    `<style:paragraph-properties ${rest}/><style:text-properties style:font-name="Sans" fo:font-size="${points}pt"/></style:style>`
  );
}

/** Slides are drawn for screens: 28 by 15.75 cm, 16 to 9, whatever the paper. */
export function openDocumentPresentation(): Uint8Array {
  const common =
    '<style:default-style style:family="graphic"><style:text-properties style:font-name="Sans" fo:font-size="18pt"/></style:default-style>' +
    '<style:style style:name="standard" style:family="graphic"/>' +
    '<style:presentation-page-layout style:name="TitleSlide" style:display-name="Title slide"><presentation:placeholder presentation:object="title" svg:x="1.4cm" svg:y="3.5cm" svg:width="25.2cm" svg:height="4cm"/><presentation:placeholder presentation:object="subtitle" svg:x="1.4cm" svg:y="8cm" svg:width="25.2cm" svg:height="3cm"/></style:presentation-page-layout>' +
    presentationStyle('Default-title', 40, 'fo:text-align="center"') +
    presentationStyle('Default-subtitle', 24, 'fo:text-align="center"') +
    presentationStyle('Default-outline1', 28, 'fo:margin-bottom="0.3cm"');
  const automatic =
    pageLayout(
      'fo:page-width="28cm" fo:page-height="15.75cm" style:print-orientation="landscape" fo:margin-top="0cm" fo:margin-bottom="0cm" fo:margin-left="0cm" fo:margin-right="0cm"',
    ) +
    '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties draw:background-size="border" draw:fill="solid" draw:fill-color="#ffffff"/></style:style>';
  const masters =
    '<draw:layer-set><draw:layer draw:name="layout"/><draw:layer draw:name="background"/><draw:layer draw:name="backgroundobjects"/><draw:layer draw:name="controls"/><draw:layer draw:name="measurelines"/></draw:layer-set>' +
    `<style:master-page style:name="Default" style:page-layout-name="Page" draw:style-name="dp1">${placeholder('title', 0.6, 2.6, 'Default-title')}</style:master-page>`;
  const slide =
    '<office:presentation><draw:page draw:name="page1" draw:style-name="dp1" draw:master-page-name="Default" presentation:presentation-page-layout-name="TitleSlide">' +
    `${placeholder('title', 3.5, 4, 'Default-title')}${placeholder('subtitle', 8, 3, 'Default-subtitle')}</draw:page></office:presentation>`;
  const ownPage =
    '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:background-visible="true" presentation:background-objects-visible="true"/></style:style>';
  return openDocumentPackage(`${mimeType}.presentation`, [
    ['content.xml', content(slide, ownPage)],
    ['styles.xml', styles(common, automatic, masters)],
    ['meta.xml', meta],
  ]);
}
