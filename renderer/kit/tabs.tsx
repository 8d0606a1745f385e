// Tabs: React Aria's. The panel of the selected one fills the height.

import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { formatCount } from '../../app/contract/format.ts';

interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: string; count: number; children: ReactNode }[];
  selected: string;
  onSelect(id: string): void;
}

export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs className="tabs fill" selectedKey={selected} onSelectionChange={(id) => onSelect(String(id))}>
      <TabList aria-label={label} className="tab-list">
        {tabs.map(({ id, title, count }) => (
          <Tab key={id} id={id} className="tab">
            {title} <span className="tab-count">{formatCount(count)}</span>
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, children }) => (
        <TabPanel key={id} id={id} className="tab-panel fill">
          {children}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
