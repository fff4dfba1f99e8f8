import { BooleanField, DateField, getDefaultSortOrder, List, TagField, useTable } from '@refinedev/antd';
import type { HttpError } from '@refinedev/core';
import { Form, Input, Space, Table } from 'antd';

type Domain = {
  uuid: string;
  dns: { is_valid: boolean }[];
  mail_from_verified: boolean;
};

/** The columns of the console's list, with the fields that Refine has for them. */
export function DomainList() {
  const { tableProps, sorters, searchFormProps } = useTable<Domain, HttpError, { q: string }>({
    pagination: { pageSize: 25 },
    sorters: { initial: [{ field: 'created_at', order: 'desc' }] },
    onSearch: ({ q }) => [{ field: 'q', operator: 'contains', value: q }],
  });
  const sortable = (field: string) => ({
    dataIndex: field,
    sorter: true,
    defaultSortOrder: getDefaultSortOrder(field, sorters),
  });
  return (
    <List>
      <Form {...searchFormProps}>
        <Form.Item name="q">
          <Input.Search placeholder="Search by name" allowClear onSearch={searchFormProps.form?.submit} />
        </Form.Item>
      </Form>
      <Table {...tableProps} rowKey="uuid">
        <Table.Column {...sortable('name')} title="Domain" />
        <Table.Column dataIndex="dns" title="DNS records" render={recordsWords} />
        <Table.Column {...sortable('verified')} title="Verified" render={isTrue} />
        <Table.Column {...sortable('status')} title="Status" render={tag} />
        <Table.Column {...sortable('verification')} title="Verification" render={tag} />
        <Table.Column
          {...sortable('mail_from_domain')}
          title="MAIL FROM"
          render={(name: string, domain: Domain) => (
            <Space>
              {name}
              <BooleanField value={domain.mail_from_verified} />
            </Space>
          )}
        />
        <Table.Column {...sortable('provider')} title="Provider" />
        <Table.Column
          {...sortable('created_at')}
          title="Created"
          render={(value: string) => <DateField value={value} />}
        />
      </Table>
    </List>
  );
}

const isTrue = (value: boolean) => <BooleanField value={value} />;

const tag = (value: string) => <TagField value={value} />;

function recordsWords(dns: Domain['dns']) {
  return dns.length === 0 ? 'No records' : `${dns.filter((record) => record.is_valid).length} of ${dns.length} valid`;
}
